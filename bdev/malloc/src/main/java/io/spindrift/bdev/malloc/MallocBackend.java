package io.spindrift.bdev.malloc;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.thread.Reactors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// One malloc bdev.
final class MallocBackend extends BdevBackend {
    private final MallocCreateParams params;
    private final MallocStorage storage;
    private final MallocDevice device;
    private final boolean lends;

    /// Takes over `storage`, which [#destroy()] frees.
    MallocBackend(Reactors reactors, MallocCreateParams params, String name, MallocStorage storage) {
        this.params = params;
        this.storage = storage;
        this.device = new MallocDevice(reactors, "malloc_" + name, storage);
        // Separate metadata is not lent with the data, and what is lent cannot be checked.
        this.lends = storage.metadata() == null && storage.layout().dif().isEmpty();
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return switch (ioType) {
            case BdevIoType.READ, BdevIoType.WRITE, BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES, BdevIoType.FLUSH,
                    BdevIoType.RESET, BdevIoType.ABORT, BdevIoType.COMPARE, BdevIoType.COPY ->
                true;
            case BdevIoType.ZCOPY_START, BdevIoType.ZCOPY_END -> lends;
            default -> false;
        };
    }

    @Override
    public OptionalInt numaId() {
        return OptionalInt.of(params.numaId());
    }

    @Override
    public void destroy() throws InterruptedException {
        device.unregisterAndWait();
        storage.free();
    }

    @Override
    public List<ConfigEntry> config(Bdev bdev) {
        return List.of(new ConfigEntry(MallocRpcs.CREATE.name(), new MallocCreateParams(Optional.of(bdev.name()),
                bdev.numBlocks(), params.blockSize(), bdev.geometry().physicalBlockSize(), Optional.of(bdev.uuid()),
                params.optimalIoBoundary(), params.mdSize(), params.mdInterleave(), params.difType(),
                params.difIsHeadOfMd(), params.difPiFormat(), params.numaId())));
    }
}
