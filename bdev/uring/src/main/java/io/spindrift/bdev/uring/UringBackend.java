package io.spindrift.bdev.uring;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.rpc.ConfigEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One file behind one bdev.
final class UringBackend extends BdevBackend {
    private final UringBdevModule module;
    private final UringDevice device;
    private final OpenFile file;
    private final FileSpec spec;
    private final int number;

    /// `number` is small, and no other living backend of the application has it.
    UringBackend(UringBdevModule module, UringDevice device, OpenFile file, FileSpec spec, int number) {
        this.module = module;
        this.device = device;
        this.file = file;
        this.spec = spec;
        this.number = number;
    }

    OpenFile file() {
        return file;
    }

    int number() {
        return number;
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return switch (ioType) {
            case BdevIoType.READ, BdevIoType.FLUSH, BdevIoType.RESET, BdevIoType.ABORT -> true;
            case BdevIoType.WRITE -> !file.readOnly();
            case BdevIoType.UNMAP -> file.unmaps();
            case BdevIoType.WRITE_ZEROES -> file.zeroMode() != 0;
            case BdevIoType.SEEK_DATA, BdevIoType.SEEK_HOLE -> !file.blockDevice();
            default -> false;
        };
    }

    @Override
    public void destroy() throws Exception {
        device.visitChannels(channel -> channel.forget(this));
        module.release(this);
    }

    @Override
    public Map<String, Object> driverSpecific(Bdev bdev) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("filename", file.filename());
        members.put("direct", file.direct());
        if (spec.family() == FileSpec.Family.AIO) {
            members.put("block_size_override", spec.blockSize() != 0);
            members.put("readonly", spec.readOnly());
            members.put("fallocate", spec.fallocate());
        }
        return Map.of(spec.family() == FileSpec.Family.AIO ? "aio" : "uring", members);
    }

    @Override
    public List<ConfigEntry> config(Bdev bdev) {
        return List.of(spec.config(bdev));
    }
}
