package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;

/// The I/O of a storage without protection information, perhaps with separate metadata.
final class PlainWork extends PieceWork {
    private final LazyMemory data;
    /// Null if there is none.
    private final LazyMemory metadata;
    private final IoVector scratch = new IoVector(1);

    PlainWork(MallocStorage storage) {
        super(storage.blockBytes());
        data = storage.data();
        metadata = storage.metadata();
    }

    @Override
    int passes(BdevIo io) {
        return 1;
    }

    @Override
    long run(BdevIo io, int pass, long at, long count) {
        if (metadata != null && !runMetadata(io, at, count)) {
            return BdevStatus.MISCOMPARE;
        }
        long first = io.offsetBlocks() + at;
        switch (io.type()) {
            case BdevIoType.READ -> data.read(first, count, io.vector(), data.bytes(at));
            case BdevIoType.WRITE -> data.write(first, count, io.vector(), data.bytes(at));
            case BdevIoType.COPY -> data.copy(io.sourceBlocks() + at, first, count);
            default -> {
                return data.matches(first, count, io.vector(), data.bytes(at))
                        ? BdevStatus.SUCCESS
                        : BdevStatus.MISCOMPARE;
            }
        }
        return BdevStatus.SUCCESS;
    }

    /// Returns false if a compare finds a difference. A write that brings no metadata clears it.
    private boolean runMetadata(BdevIo io, long at, long count) {
        IoVector given = io.options() == null ? null : io.options().metadata();
        long first = io.offsetBlocks() + at;
        if (io.type() == BdevIoType.COPY) {
            metadata.copy(io.sourceBlocks() + at, first, count);
        } else if (given == null) {
            if (io.type() == BdevIoType.WRITE) {
                metadata.zero(metadata.bytes(first), metadata.bytes(first + count), Long.MAX_VALUE, scratch);
            }
        } else {
            switch (io.type()) {
                case BdevIoType.READ -> metadata.read(first, count, given, metadata.bytes(at));
                case BdevIoType.WRITE -> metadata.write(first, count, given, metadata.bytes(at));
                default -> {
                    return metadata.matches(first, count, given, metadata.bytes(at));
                }
            }
        }
        return true;
    }

    /// First the data, then the metadata; `done` counts bytes of either.
    @Override
    long zero(BdevIo io, MallocIoContext context, long budget) {
        LazyMemory memory = context.pass == 0 ? data : metadata;
        long from = memory.bytes(io.offsetBlocks()) + context.done;
        long end = memory.bytes(io.offsetBlocks() + io.numBlocks());
        long reached = memory.zero(from, end, budget, scratch);
        context.done += reached - from;
        if (reached == end) {
            context.done = 0;
            context.pass++;
        }
        spent(Math.min(budget, reached - from));
        return context.pass == (metadata == null ? 1 : 2) ? BdevStatus.SUCCESS : underWay(budget);
    }
}
