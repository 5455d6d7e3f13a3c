package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.thread.IoDevice;
import java.util.List;
import java.util.Optional;

/// One null bdev.
final class NullBackend extends BdevBackend {
    private final IoDevice<? extends ModuleChannel> device;
    private final boolean ownsDevice;

    /// `ownsDevice`: the device serves this bdev alone and ends with it.
    NullBackend(IoDevice<? extends ModuleChannel> device, boolean ownsDevice) {
        this.device = device;
        this.ownsDevice = ownsDevice;
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return switch (ioType) {
            case BdevIoType.READ, BdevIoType.WRITE, BdevIoType.WRITE_ZEROES, BdevIoType.RESET, BdevIoType.ABORT -> true;
            default -> false;
        };
    }

    @Override
    public void destroy() {
        if (ownsDevice) {
            device.unregister();
        }
    }

    @Override
    public List<ConfigEntry> config(Bdev bdev) {
        BdevGeometry geometry = bdev.geometry();
        BdevGeometry.IoHints hints = geometry.hints();
        return List.of(new ConfigEntry(NullRpcs.CREATE.name(),
                new NullCreateParams(bdev.name(), bdev.numBlocks(), geometry.dataBlockSize(),
                        geometry.physicalBlockSize(), geometry.metadataSize(), geometry.difType(),
                        geometry.difHeadOfMetadata(), geometry.difPiFormat(), Optional.of(bdev.uuid()),
                        hints.preferredWriteGranularity(), hints.preferredWriteAlignment(), hints.optimalWriteSize(),
                        hints.preferredUnmapGranularity(), hints.preferredUnmapAlignment())));
    }
}
