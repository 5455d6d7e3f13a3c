package io.spindrift.bdev;

import io.spindrift.framework.memory.Buffer;
import io.spindrift.framework.memory.BufferWaiter;
import io.spindrift.framework.memory.IoVector;

/// One piece of a [PartedIo]: a range, its slice of the caller's memory, perhaps a bounce buffer. Pooled by thread.
final class Part extends BufferWaiter implements BdevCompletion {
    private final BdevThread pool;
    private final IoVector slice = new IoVector(4);
    private final IoVector bounce = new IoVector(1);
    private final IoVector metadata = new IoVector(2);
    private final BdevIoOptions options = new BdevIoOptions();
    PartedIo owner;
    Part nextFree;
    /// First block, counted from the start of the whole I/O.
    long fromBlock;
    long blocks;
    private Buffer buffer;
    private boolean writing;

    Part(BdevThread pool) {
        this.pool = pool;
    }

    PartedIo owner() {
        return owner;
    }

    /// The part's share of the caller's data, to be filled by [PartedIo].
    IoVector slice() {
        return slice;
    }

    private BdevIo whole() {
        return owner.whole();
    }

    private long bytes() {
        return blocks * owner.channel().bdev().blockSize();
    }

    /// Submits the slice as it is.
    void submitSlice() {
        submit(whole().type, slice, whole().offsetBlocks + fromBlock);
    }

    /// Submits a write of `zeroes`.
    void submitZeroes(IoVector zeroes) {
        slice.clear();
        slice.addSlice(zeroes, 0, bytes());
        submit(BdevIoType.WRITE, slice, whole().offsetBlocks + fromBlock);
    }

    /// Gets a buffer, now or later, and goes on with it.
    void submitWithBuffer() {
        Buffer now = pool.buffers().get(bytes(), this);
        if (now != null) {
            onBuffer(now);
        }
    }

    @Override
    protected void onBuffer(Buffer given) {
        buffer = given;
        bounce.set(given, bytes());
        switch (owner.mode()) {
            case BOUNCED -> {
                if (whole().type != BdevIoType.READ) {
                    bounce.copyFrom(slice, 0, 0, bytes());
                }
                submit(whole().type, bounce, whole().offsetBlocks + fromBlock);
            }
            case COMPARE -> submit(BdevIoType.READ, bounce, whole().offsetBlocks + fromBlock);
            case COPY -> {
                writing = false;
                submit(BdevIoType.READ, bounce, whole().sourceBlocks + fromBlock);
            }
            case SPLIT, ZEROES -> throw new AssertionError(owner.mode());
        }
    }

    private void submit(int type, IoVector data, long offsetBlocks) {
        BdevIoOptions given = whole().options;
        BdevIoOptions own = null;
        if (given != null) {
            own = options.copyOf(given);
            if (given.metadata() != null) {
                int size = owner.channel().bdev().geometry().metadataSize();
                metadata.clear();
                metadata.addSlice(given.metadata(), fromBlock * size, blocks * size);
                own.metadata(metadata);
            }
        }
        owner.channel().submitPart(type, data, offsetBlocks, blocks, own, this);
    }

    @Override
    public void completed(BdevIo io) {
        long status = io.status();
        if (status == BdevStatus.SUCCESS && buffer != null) {
            switch (owner.mode()) {
                case BOUNCED -> {
                    if (whole().type == BdevIoType.READ) {
                        slice.copyFrom(bounce, 0, 0, bytes());
                    }
                }
                case COMPARE -> {
                    if (slice.mismatch(bounce, 0, 0, bytes()) >= 0) {
                        status = BdevStatus.MISCOMPARE;
                    }
                }
                case COPY -> {
                    if (!writing) {
                        writing = true;
                        submit(BdevIoType.WRITE, bounce, whole().offsetBlocks + fromBlock);
                        return;
                    }
                }
                case SPLIT, ZEROES -> throw new AssertionError(owner.mode());
            }
        }
        PartedIo done = owner;
        Buffer given = buffer;
        buffer = null;
        owner = null;
        pool.give(this);
        if (given != null) {
            pool.buffers().release(given);
        }
        done.ended(status);
    }
}
