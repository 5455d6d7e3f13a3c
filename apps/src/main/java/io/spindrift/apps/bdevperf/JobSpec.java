package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.Bdev;
import io.spindrift.framework.thread.CpuMask;

/// What one job does: one workload on one range of one bdev, by one thread. Checked against the bdev by [JobChecks].
///
/// @param bdev          the device; the job has its name in reports
/// @param cores         where its thread may run
/// @param ioSize        bytes of data of an I/O, without interleaved metadata
/// @param depth         how many I/Os it keeps on their way
/// @param readPercent   share of reads, for mixed workloads
/// @param firstBlock    start of its range
/// @param numBlocks     length of its range; at least one I/O's
record JobSpec(Bdev bdev, CpuMask cores, Workload workload, int ioSize, int depth, int readPercent, long firstBlock,
        long numBlocks) {
    String name() {
        return bdev.name();
    }

    long blocksPerIo() {
        return ioSize / bdev.geometry().dataBlockSize();
    }

    /// Bytes of an I/O, with interleaved metadata.
    long bufferBytes() {
        return blocksPerIo() * bdev.blockSize();
    }

    /// How many I/Os the range holds side by side.
    long units() {
        return numBlocks / blocksPerIo();
    }

    /// Whether it has blocks in common with `other`.
    boolean overlaps(JobSpec other) {
        return bdev == other.bdev && firstBlock < other.firstBlock + other.numBlocks
                && other.firstBlock < firstBlock + numBlocks;
    }

    /// Whether its writes carry a [BlockPattern].
    boolean writesPattern() {
        return workload.changes() && BlockPattern.fits(patternBytes());
    }

    /// How much of a block carries the pattern: all but interleaved protection information and what goes with it.
    int patternBytes() {
        return bdev.geometry().difType() == 0 ? bdev.blockSize() : bdev.geometry().dataBlockSize();
    }

    /// The same job with another depth.
    JobSpec withDepth(int newDepth) {
        return new JobSpec(bdev, cores, workload, ioSize, newDepth, readPercent, firstBlock, numBlocks);
    }
}
