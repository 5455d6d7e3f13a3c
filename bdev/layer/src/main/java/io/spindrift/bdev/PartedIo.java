package io.spindrift.bdev;

import io.spindrift.framework.memory.IoVector;

/// An I/O that the core does in parts, because the module cannot take it whole, as it lies in memory, or at all.
///
/// ```
///   whole:  |-------------------------------------|
///   parts:  |--- 0 ---|--- 1 ---|--- 2 ---|-- 3 --|    at most PARALLEL at a time; the first failure stops new ones
/// ```
/// Pooled by thread; everything runs there.
final class PartedIo {
    /// What is done with each part.
    enum Mode {
        /// The caller's memory, in pieces that the module takes.
        SPLIT,
        /// Through an aligned buffer.
        BOUNCED,
        /// Writes of zeroes, for a module without write-zeroes.
        ZEROES,
        /// A read and a comparison, for one without compare.
        COMPARE,
        /// A read and a write, for one without copy.
        COPY
    }

    private static final int PARALLEL = 32;

    private final BdevThread pool;
    PartedIo nextFree;
    private BdevChannel channel;
    private BdevIo whole;
    private Mode mode = Mode.SPLIT;
    private long issuedBlocks;
    private int outstanding;
    private long failure;
    private boolean advancing;

    PartedIo(BdevThread pool) {
        this.pool = pool;
    }

    BdevChannel channel() {
        return channel;
    }

    BdevIo whole() {
        return whole;
    }

    Mode mode() {
        return mode;
    }

    /// Begins `io`; it ends through [BdevIo#complete(long)].
    void start(BdevChannel on, BdevIo io, Mode how) {
        channel = on;
        whole = io;
        mode = how;
        issuedBlocks = 0;
        outstanding = 0;
        failure = BdevStatus.SUCCESS;
        if (how != Mode.SPLIT && longestPart() < on.bdev().blockSize()) {
            whole = null;
            pool.give(this);
            on.endLater(io, BdevStatus.UNSUPPORTED);
        } else {
            advance();
        }
    }

    /// How many bytes of memory of the core's own a part can have.
    private long longestPart() {
        return mode == Mode.ZEROES ? channel.bdev().registry().zeroes().byteLength() : pool.largestBuffer();
    }

    void ended(long status) {
        outstanding--;
        if (status != BdevStatus.SUCCESS && failure == BdevStatus.SUCCESS) {
            failure = status;
        }
        advance();
    }

    private void advance() {
        if (advancing) {
            return; // a part ended while the loop below runs: it goes on there
        }
        advancing = true;
        while (failure == BdevStatus.SUCCESS && issuedBlocks < whole.numBlocks && outstanding < PARALLEL) {
            issue();
        }
        advancing = false;
        if (outstanding == 0) {
            BdevIo io = whole;
            whole = null;
            pool.give(this);
            io.complete(failure);
        }
    }

    private void issue() {
        Part part = pool.takePart();
        part.owner = this;
        part.fromBlock = issuedBlocks;
        outstanding++;
        switch (mode) {
            case SPLIT -> {
                part.blocks = fit(part.slice(), part.fromBlock);
                issuedBlocks += part.blocks;
                part.submitSlice();
            }
            case BOUNCED, COMPARE -> {
                part.blocks = fitBuffer(part.fromBlock);
                issuedBlocks += part.blocks;
                slice(part);
                part.submitWithBuffer();
            }
            case COPY -> {
                part.blocks = fitBuffer(part.fromBlock);
                issuedBlocks += part.blocks;
                part.submitWithBuffer();
            }
            case ZEROES -> {
                IoVector zeroes = channel.bdev().registry().zeroes();
                part.blocks = Math.min(whole.numBlocks - part.fromBlock,
                        zeroes.byteLength() / channel.bdev().blockSize());
                issuedBlocks += part.blocks;
                part.submitZeroes(zeroes);
            }
        }
    }

    private void slice(Part part) {
        long size = channel.bdev().blockSize();
        part.slice().clear();
        part.slice().addSlice(whole.vector, part.fromBlock * size, part.blocks * size);
    }

    private long fitBuffer(long fromBlock) {
        long blocks = pool.largestBuffer() / channel.bdev().blockSize();
        return Math.min(uncut(fromBlock), blocks);
    }

    /// Blocks from `fromBlock` to the end, the boundary or the longest transfer, whichever comes first.
    private long uncut(long fromBlock) {
        BdevGeometry geometry = channel.bdev().geometry();
        long blocks = whole.numBlocks - fromBlock;
        if (geometry.splitOnBoundary()) {
            long first = whole.offsetBlocks + fromBlock;
            blocks = Math.min(blocks, geometry.optimalIoBoundary() - first % geometry.optimalIoBoundary());
        }
        return geometry.maxTransferBlocks() == 0 ? blocks : Math.min(blocks, geometry.maxTransferBlocks());
    }

    /// Fills `slice` with as much from `fromBlock` on as the module takes at once; returns the blocks, at least 1.
    private long fit(IoVector slice, long fromBlock) {
        BdevGeometry geometry = channel.bdev().geometry();
        long size = channel.bdev().blockSize();
        long blocks = uncut(fromBlock);
        if (geometry.maxSegments() > 0 || geometry.maxSegmentSize() > 0) {
            blocks = Math.min(blocks, SegmentLimit.bytesThatFit(whole.vector, fromBlock * size, blocks * size, geometry)
                    / size);
        }
        slice.clear();
        SegmentLimit.addSlice(slice, whole.vector, fromBlock * size, blocks * size, geometry);
        return blocks;
    }
}
