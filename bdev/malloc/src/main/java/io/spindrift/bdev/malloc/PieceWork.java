package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;

/// The I/O of one channel that moves, compares or zeroes blocks, at once or in pieces.
///
/// Some I/O goes through its blocks more than once: a write with protection information first checks all, then stores.
/// Owned by the channel's thread; allocates nothing once made.
abstract class PieceWork {
    /// What a piece in a turn of the reactor may cost, in bytes copied, checked or zeroed: some hundred microseconds.
    static final long TURN_BYTES = 1 << 20;
    /// What [#advance] returns for an I/O that is not done yet. No [BdevStatus] is negative.
    static final long UNDER_WAY = -1;

    private final long blockBytes;
    private long spent;

    /// `blockBytes` is the size of a block with its metadata.
    PieceWork(long blockBytes) {
        this.blockBytes = blockBytes;
    }

    /// Whether `io`, which is none that zeroes, is done in one piece.
    final boolean isShort(BdevIo io) {
        return io.numBlocks() <= blocks(TURN_BYTES);
    }

    /// Does all of `io`, which is short. Returns its status.
    final long runWhole(BdevIo io) {
        long status = BdevStatus.SUCCESS;
        for (int pass = 0; pass < passes(io) && status == BdevStatus.SUCCESS; pass++) {
            status = run(io, pass, 0, io.numBlocks());
        }
        return status;
    }

    /// Goes on with `io` for about `budget` bytes. Returns its status, or [#UNDER_WAY].
    final long advance(BdevIo io, long budget) {
        MallocIoContext context = (MallocIoContext) io.moduleContext();
        return switch (io.type()) {
            case BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES -> zero(io, context, budget);
            default -> runPiece(io, context, budget);
        };
    }

    /// What the last [#advance] cost, in bytes; not less than its budget if the I/O is still under way.
    final long spent() {
        return spent;
    }

    private long runPiece(BdevIo io, MallocIoContext context, long budget) {
        long count = Math.min(io.numBlocks() - context.done, blocks(budget));
        long at = fromEnd(io) ? io.numBlocks() - context.done - count : context.done;
        long status = run(io, context.pass, at, count);
        context.done += count;
        if (status == BdevStatus.SUCCESS && context.done == io.numBlocks()) {
            context.done = 0;
            context.pass++;
        }
        spent(count * blockBytes);
        return status != BdevStatus.SUCCESS || context.pass == passes(io) ? status : underWay(budget);
    }

    /// What [#advance] returns when a piece has used up its budget, as far as whole blocks can.
    final long underWay(long budget) {
        spent(budget);
        return UNDER_WAY;
    }

    /// Whether the blocks are gone through from the last to the first: those of a copy onto its own later blocks.
    private static boolean fromEnd(BdevIo io) {
        return io.type() == BdevIoType.COPY && io.offsetBlocks() > io.sourceBlocks();
    }

    private long blocks(long bytes) {
        return Math.max(1, bytes / blockBytes);
    }

    final void spent(long bytes) {
        spent = bytes;
    }

    /// How often `io` goes through its blocks.
    abstract int passes(BdevIo io);

    /// Does pass `pass` of `io`, a read, write, compare or copy, for `count` of its blocks from `at` on, counted from its
    /// own first. Returns a status; one that is no success ends the I/O.
    abstract long run(BdevIo io, int pass, long at, long count);

    /// As [#advance], for an unmap or write-zeroes.
    abstract long zero(BdevIo io, MallocIoContext context, long budget);
}
