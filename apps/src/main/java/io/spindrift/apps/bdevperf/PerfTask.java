package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.IoWaiter;
import io.spindrift.bdev.dif.DifResult;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;

/// One of the I/Os that a job keeps on their way: submits the next when one has ended. On the job's thread.
///
/// One class for all workloads, so that the block layer's call of a completion has one target. A verifying task owns
/// every `depth`-th unit of the job's range, so that no two tasks ever work on one:
/// ```
///   write pass p -> read back, compare -> next unit; at the end of its units pass p + 1
///   now and then, first: read, compare with pass p - 1 (what others did to the blocks since)
/// ```
final class PerfTask implements BdevCompletion {
    private static final int WRITING = 0;
    private static final int READING = 1;
    private static final int AUDITING = 2;
    /// One in this many visits begins with an audit.
    private static final int AUDIT_INTERVAL = 8;

    private final PerfJob job;
    private final int slot;
    private final long at;
    private final MemoryRegion memory;
    private final IoVector data = new IoVector(1);
    /// What a verifying task reads into.
    private final IoVector readBack = new IoVector(1);
    /// Separate protection information, if there is any.
    private final IoVector metadata = new IoVector(1);
    private final BdevIoOptions options;
    private final IoWaiter waiter = new IoWaiter() {
        @Override
        protected void ioAvailable() {
            submit();
        }
    };
    private int type;
    private int phase;
    private long unit;
    private long pass;
    private long offsetBlocks;
    private long submitted;
    private boolean running;
    private boolean starved;
    /// Of zero-copy I/O: the device's memory has been given back, and its answer is awaited.
    private boolean returning;

    /// A task whose buffers begin at byte `at` of `memory`: one, and a second if the job verifies.
    PerfTask(PerfJob job, int slot, MemoryRegion memory, long at) {
        this.job = job;
        this.slot = slot;
        this.memory = memory;
        this.at = at;
        this.unit = slot;
        this.type = job.type;
        data.set(memory, at, job.bufferBytes);
        if ((job.special & PerfJob.VERIFY) != 0) {
            readBack.set(memory, at + job.bufferStride, job.bufferBytes);
        }
        if (job.metadataBytes > 0) {
            long after = (job.special & PerfJob.VERIFY) != 0 ? 2 * job.bufferStride : job.bufferStride;
            metadata.set(memory, at + after, job.metadataBytes);
            options = new BdevIoOptions().metadata(metadata);
        } else {
            options = null;
        }
    }

    /// Begins; it goes on until the job stops.
    void start() {
        running = true;
        next();
    }

    boolean running() {
        return running;
    }

    /// When its I/O was submitted.
    long submitted() {
        return submitted;
    }

    /// Marks its I/O as starved; returns whether it was not before.
    boolean starve() {
        boolean first = !starved;
        starved = true;
        return first;
    }

    // ---- submitting -------------------------------------------------------------------------------------------

    private void next() {
        PerfJob j = job;
        if ((j.special & ~PerfJob.STOPPING) != 0) {
            nextSpecial(j);
        } else {
            nextPlain(j, j.thread.now());
        }
    }

    /// The shortest path: straight to the channel.
    private void nextPlain(PerfJob j, long now) {
        long offset = j.nextOffset();
        offsetBlocks = offset;
        submitted = now;
        int operation = type;
        if (!(operation == BdevIoType.READ
                ? j.channel.read(data, offset, j.blocksPerIo, this)
                : operation == BdevIoType.WRITE
                        ? j.channel.write(data, offset, j.blocksPerIo, this)
                        : submitOther(j))) {
            j.channel.waitForIo(waiter);
        }
    }

    private void nextSpecial(PerfJob j) {
        starved = false;
        submitted = j.thread.now();
        if ((j.special & PerfJob.VERIFY) != 0) {
            nextVerify(j);
            return;
        }
        offsetBlocks = j.nextOffset();
        if ((j.special & PerfJob.MIXED) != 0) {
            type = j.nextIsRead() ? BdevIoType.READ : BdevIoType.WRITE;
        }
        if ((j.special & PerfJob.UNIQUE) != 0 && type == BdevIoType.WRITE) {
            j.pattern.fill(memory.segment(), at, (int) j.blocksPerIo, offsetBlocks, j.nextWrite());
        }
        submit();
    }

    private void nextVerify(PerfJob j) {
        offsetBlocks = j.offset(unit);
        if (pass > 0 && (pass + unit / j.depth) % AUDIT_INTERVAL == 0 && j.contentKnown()) {
            phase = AUDITING;
            type = BdevIoType.READ;
            submit();
        } else {
            writePattern(j);
        }
    }

    private void writePattern(PerfJob j) {
        phase = WRITING;
        type = BdevIoType.WRITE;
        j.pattern.fill(memory.segment(), at, (int) j.blocksPerIo, offsetBlocks, pass);
        submit();
    }

    /// Submits what the fields say, or waits for a pooled I/O and tries again.
    private void submit() {
        PerfJob j = job;
        boolean taken;
        if ((j.special & PerfJob.PROTECTED) != 0 && type == BdevIoType.WRITE) {
            j.protection.generate(data, metadata, offsetBlocks, (int) j.blocksPerIo);
        }
        if ((j.special & PerfJob.BORROWING) != 0) {
            taken = j.channel.zcopyStart(offsetBlocks, j.blocksPerIo, type == BdevIoType.READ, this);
        } else if (type == BdevIoType.READ) {
            taken = j.channel.read(readBuffer(j), offsetBlocks, j.blocksPerIo, options, this);
        } else if (type == BdevIoType.WRITE) {
            taken = j.channel.write(data, offsetBlocks, j.blocksPerIo, options, this);
        } else {
            taken = submitOther(j);
        }
        if (!taken) {
            j.channel.waitForIo(waiter);
        }
    }

    private IoVector readBuffer(PerfJob j) {
        return (j.special & PerfJob.VERIFY) == 0 ? data : readBack;
    }

    private boolean submitOther(PerfJob j) {
        return switch (type) {
            case BdevIoType.UNMAP -> j.channel.unmap(offsetBlocks, j.blocksPerIo, this);
            case BdevIoType.FLUSH -> j.channel.flush(offsetBlocks, j.blocksPerIo, this);
            case BdevIoType.WRITE_ZEROES -> j.channel.writeZeroes(offsetBlocks, j.blocksPerIo, this);
            default -> throw new IllegalStateException("a job submits no " + BdevIoType.name(type));
        };
    }

    // ---- ending -----------------------------------------------------------------------------------------------

    @Override
    public void completed(BdevIo io) {
        PerfJob j = job;
        if ((io.status() | j.special) == 0) {
            long now = j.thread.now();
            j.counters.completed(now - submitted);
            nextPlain(j, now);
        } else {
            completedSpecial(j, io, io.status());
        }
    }

    private void completedSpecial(PerfJob j, BdevIo io, long status) {
        if ((j.special & PerfJob.BORROWING) != 0 && isBorrowed(j, io)) {
            return;
        }
        if (!isDone(j, status)) {
            return;
        }
        advance(j);
        if ((j.special & PerfJob.STOPPING) == 0) {
            next();
        } else {
            running = false;
            j.taskEnded();
        }
    }

    /// Looks at how an I/O ended, and returns whether the unit is done: else more I/O on it is under way.
    private boolean isDone(PerfJob j, long status) {
        if (status != 0) {
            j.failed(this, status);
            return true;
        }
        if (type == BdevIoType.READ && (j.special & PerfJob.PROTECTED) != 0 && isInBuffer(j)) {
            long result = j.protection.verify(readBuffer(j), metadata, offsetBlocks, (int) j.blocksPerIo);
            if (result != DifResult.OK) {
                j.unprotected(this, j.protection.explain(result));
                return true;
            }
        }
        if ((j.special & PerfJob.VERIFY) != 0) {
            return completedVerify(j);
        }
        j.counters.completedAndRecorded(j.thread.now() - submitted);
        return true;
    }

    /// Whether what was read is in this task's memory, not only in the device's.
    private static boolean isInBuffer(PerfJob j) {
        return (j.special & PerfJob.BORROWING) == 0 || (j.special & PerfJob.VERIFY) != 0;
    }

    /// Returns whether `io` is the first half of a zero-copy I/O that succeeded; then the second is under way.
    private boolean isBorrowed(PerfJob j, BdevIo io) {
        returning = !returning && io.status() == 0;
        if (!returning) {
            return false;
        }
        if (type == BdevIoType.READ && (j.special & PerfJob.VERIFY) != 0) {
            readBack.copyFrom(io.vector(), 0, 0, j.bufferBytes);
        } else if (type == BdevIoType.WRITE && (j.special & (PerfJob.VERIFY | PerfJob.UNIQUE)) != 0) {
            io.vector().copyFrom(data, 0, 0, j.bufferBytes);
        }
        j.channel.zcopyEnd(io, type == BdevIoType.WRITE, this);
        return true;
    }

    /// Returns whether the unit is done.
    private boolean completedVerify(PerfJob j) {
        if (phase == WRITING) {
            phase = READING;
            type = BdevIoType.READ;
            submit();
            return false;
        }
        long expected = phase == AUDITING ? pass - 1 : pass;
        int wrong = j.pattern.mismatch(memory.segment(), at + j.bufferStride, (int) j.blocksPerIo, offsetBlocks,
                expected);
        if (wrong >= 0) {
            j.corrupt(offsetBlocks + wrong, j.pattern.explain(memory.segment(),
                    at + j.bufferStride + wrong * j.blockStride, offsetBlocks + wrong, expected), submitted);
            return true;
        }
        if (phase == AUDITING) {
            if ((j.special & PerfJob.STOPPING) != 0) {
                return true;
            }
            writePattern(j);
            return false;
        }
        j.counters.completedAndRecorded(j.thread.now() - submitted);
        return true;
    }

    /// A verifying task's next unit.
    private void advance(PerfJob j) {
        if ((j.special & PerfJob.VERIFY) != 0) {
            unit += j.depth;
            if (unit >= j.units) {
                unit = slot;
                pass++;
            }
        }
    }

    /// What its I/O is: for sentences about it.
    @Override
    public String toString() {
        return BdevIoType.name(type) + " of " + job.blocksPerIo + " blocks at block " + offsetBlocks;
    }
}
