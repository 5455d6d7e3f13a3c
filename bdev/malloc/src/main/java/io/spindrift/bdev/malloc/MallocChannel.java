package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;

/// One thread's way to a malloc bdev: I/O is a copy, done within [#submit(BdevIo)].
///
/// Only zeroing much memory takes turns ([ZeroingQueue]), since one unmap may cover the whole device.
final class MallocChannel extends ModuleChannel {
    private static final int DEFAULT_TAG = 0;
    private static final int ALL_TAG_BITS = 0xFFFF;

    private final MallocStorage storage;
    private final LazyMemory data;
    private final LazyMemory metadata;
    /// Null unless the device has protection information.
    private final ProtectedBlocks protectedBlocks;
    private final int checks;
    private final ZeroingQueue zeroing;

    MallocChannel(IoDevice<?> device, IoThread thread, MallocStorage storage) {
        super(device, thread);
        this.storage = storage;
        this.data = storage.data();
        this.metadata = storage.metadata();
        this.protectedBlocks = storage.layout().dif().map(format -> new ProtectedBlocks(storage, format)).orElse(null);
        this.checks = storage.layout().checks();
        this.zeroing = new ZeroingQueue(storage, thread);
    }

    @Override
    public Object newIoContext() {
        return new MallocIoContext();
    }

    @Override
    public void submit(BdevIo io) {
        if (protectedBlocks != null || metadata != null) {
            submitWithMetadata(io);
        } else {
            submitData(io);
        }
    }

    private void submitRare(BdevIo io) {
        switch (io.type()) {
            case BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES -> zeroing.add(io);
            case BdevIoType.COMPARE -> io.complete(data.matches(io.offsetBlocks(), io.numBlocks(), io.vector(), 0)
                    ? BdevStatus.SUCCESS
                    : BdevStatus.MISCOMPARE);
            case BdevIoType.COPY -> {
                data.copy(io.sourceBlocks(), io.offsetBlocks(), io.numBlocks());
                io.complete(BdevStatus.SUCCESS);
            }
            case BdevIoType.ZCOPY_START -> {
                IoVector lent = ((MallocIoContext) io.moduleContext()).lent;
                lent.clear();
                data.lend(io.offsetBlocks(), io.numBlocks(), lent);
                io.lend(lent);
                io.complete(BdevStatus.SUCCESS);
            }
            case BdevIoType.ZCOPY_END, BdevIoType.FLUSH -> io.complete(BdevStatus.SUCCESS);
            case BdevIoType.RESET -> {
                zeroing.abortAll();
                io.complete(BdevStatus.SUCCESS);
            }
            case BdevIoType.ABORT ->
                io.complete(zeroing.abort(io.abortTarget()) ? BdevStatus.SUCCESS : BdevStatus.FAILED);
            default -> io.complete(BdevStatus.UNSUPPORTED);
        }
    }

    private void submitWithMetadata(BdevIo io) {
        BdevIoOptions options = io.options();
        IoVector given = options == null || metadata == null ? null : options.metadata();
        if (protectedBlocks != null) {
            submitProtected(io, given);
            return;
        }
        long first = io.offsetBlocks();
        long count = io.numBlocks();
        if (metadata != null) {
            switch (io.type()) {
                case BdevIoType.READ -> {
                    if (given != null) {
                        metadata.read(first, count, given, 0);
                    }
                }
                case BdevIoType.WRITE -> {
                    if (given != null) {
                        metadata.write(first, count, given, 0);
                    } else {
                        zeroing.zeroMetadata(first, count);
                    }
                }
                case BdevIoType.COMPARE -> {
                    if (given != null && !metadata.matches(first, count, given, 0)) {
                        io.complete(BdevStatus.MISCOMPARE);
                        return;
                    }
                }
                case BdevIoType.COPY -> metadata.copy(io.sourceBlocks(), first, count);
                default -> {
                    // No other type moves metadata; the zeroing queue sees to both.
                }
            }
        }
        submitData(io);
    }

    private void submitData(BdevIo io) {
        switch (io.type()) {
            case BdevIoType.READ -> {
                data.read(io.offsetBlocks(), io.numBlocks(), io.vector(), 0);
                io.complete(BdevStatus.SUCCESS);
            }
            case BdevIoType.WRITE -> {
                data.write(io.offsetBlocks(), io.numBlocks(), io.vector(), 0);
                io.complete(BdevStatus.SUCCESS);
            }
            default -> submitRare(io);
        }
    }

    private void submitProtected(BdevIo io, IoVector given) {
        BdevIoOptions options = io.options();
        int wanted = options == null ? checks : checks & options.checkMask();
        int tag = options == null ? DEFAULT_TAG : options.applicationTag();
        int tagMask = options == null ? ALL_TAG_BITS : options.applicationTagMask();
        long first = io.offsetBlocks();
        long count = io.numBlocks();
        switch (io.type()) {
            case BdevIoType.READ ->
                io.complete(protectedBlocks.read(first, count, io.vector(), given, wanted, tag, tagMask));
            case BdevIoType.WRITE ->
                io.complete(protectedBlocks.write(first, count, io.vector(), given, wanted, tag, tagMask));
            case BdevIoType.COMPARE ->
                io.complete(protectedBlocks.compare(first, count, io.vector(), given, wanted, tag, tagMask));
            case BdevIoType.COPY ->
                io.complete(protectedBlocks.copy(io.sourceBlocks(), first, count, wanted, tag, tagMask));
            case BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES -> {
                protectedBlocks.deallocate(first, count);
                io.complete(BdevStatus.SUCCESS);
            }
            default -> submitRare(io);
        }
    }
}
