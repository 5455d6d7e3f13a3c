package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.framework.memory.IoVector;

/// The I/O of a storage with protection information, as [ProtectedBlocks] does it.
final class ProtectedWork extends PieceWork {
    /// Bytes of a turn's budget that marking a block as not written counts as: a bit, of a word that others change too.
    private static final long MARK_COST = 2;
    private static final int CHECK = 0;

    private final ProtectedBlocks blocks;
    private final int checks;

    ProtectedWork(MallocStorage storage, DifFormat format) {
        super(storage.blockBytes());
        blocks = new ProtectedBlocks(storage, format);
        checks = storage.layout().checks();
    }

    @Override
    int passes(BdevIo io) {
        return io.type() == BdevIoType.WRITE ? 2 : 1;
    }

    @Override
    long run(BdevIo io, int pass, long at, long count) {
        BdevIoOptions options = io.options();
        if (options == null) {
            blocks.expect(checks, 0, 0);
        } else {
            blocks.expect(options.checks(checks), options.applicationTag(), options.applicationTagMask());
        }
        IoVector metadata = options == null ? null : options.metadata();
        long first = io.offsetBlocks() + at;
        return switch (io.type()) {
            case BdevIoType.READ -> blocks.read(first, count, io.vector(), metadata, at);
            case BdevIoType.WRITE -> pass == CHECK
                    ? blocks.check(first, count, io.vector(), metadata, at)
                    : blocks.store(first, count, io.vector(), metadata, at);
            case BdevIoType.COPY -> blocks.copy(io.sourceBlocks() + at, first, count);
            default -> blocks.compare(first, count, io.vector(), metadata, at);
        };
    }

    /// `done` counts blocks.
    @Override
    long zero(BdevIo io, MallocIoContext context, long budget) {
        long count = Math.min(io.numBlocks() - context.done, Math.max(1, budget / MARK_COST));
        blocks.deallocate(io.offsetBlocks() + context.done, count);
        context.done += count;
        spent(count * MARK_COST);
        return context.done == io.numBlocks() ? BdevStatus.SUCCESS : underWay(budget);
    }
}
