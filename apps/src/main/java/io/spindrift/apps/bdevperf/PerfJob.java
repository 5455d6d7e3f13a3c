package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.JobCounters;
import io.spindrift.apps.load.JobStatistics;
import io.spindrift.apps.load.UnitPicker;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Keeps the I/Os of one [JobSpec] on their way and counts them.
///
/// Made on the control path; the methods called `onX` and those of the I/O path run on its thread. The I/O path
/// ([#nextOffset()] and what [PerfTask] calls) neither blocks nor allocates.
/// ```
///   onOpen -> onStart -> ... -> onStop (its timer, a failure, the run) -> the last task ends -> Listener.ended
/// ```
final class PerfJob {
    /// Who is told what happens to a job, on the job's thread.
    interface Listener {
        /// Something failed for the first time; if `fatal`, the job stops for it.
        void failed(PerfJob job, String sentence, boolean fatal);

        /// The job has no I/O any more and has given its channel back.
        void ended(PerfJob job);
    }

    // What keeps its I/O off the shortest path.
    static final int STOPPING = 1;
    static final int MIXED = 2;
    static final int VERIFY = 4;
    static final int UNIQUE = 8;
    static final int RECORDING = 16;
    static final int WATCHED = 32;
    static final int BORROWING = 64;
    static final int PROTECTED = 128;

    private static final long PAGE = 4096;
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LONGEST_RESET_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final JobSpec spec;
    private final RunSettings settings;
    private final Listener listener;
    private final BdevDescriptor descriptor;
    private final UnitPicker picker;
    private final MemoryRegion memory;
    private final PerfTask[] tasks;
    private final List<Poller> timers = new ArrayList<>();
    private final long firstBlock;
    private final int readPercent;

    // Read by the tasks for each I/O.
    final IoThread thread;
    final int type;
    final long blocksPerIo;
    final long bufferBytes;
    final long bufferStride;
    /// Of separate metadata; 0 for none.
    final long metadataBytes;
    final long blockStride;
    final long depth;
    final long units;
    final BlockPattern pattern;
    final Protection protection;
    final JobCounters counters;
    BdevChannel channel;
    int special;

    private Poller start;
    private long writes;
    private long startTick;
    private long endTick;
    /// Tasks and resets that have not ended.
    private int busy;
    private boolean ended;
    private boolean broken;
    private boolean contentUnknown;
    private boolean resetting;

    /// A job on `descriptor`, whose thread is `thread`; `seed` decides random offsets and what is written. Takes memory
    /// of `source`, which [#free(Memory)] gives back.
    PerfJob(JobSpec spec, RunSettings settings, long seed, BdevDescriptor descriptor, IoThread thread, Memory source,
            Listener listener) {
        this.spec = spec;
        this.settings = settings;
        this.descriptor = descriptor;
        this.thread = thread;
        this.listener = listener;
        this.type = spec.workload().operation().types()[0];
        this.blocksPerIo = spec.blocksPerIo();
        this.bufferBytes = spec.bufferBytes();
        this.blockStride = spec.bdev().blockSize();
        this.depth = spec.depth();
        this.units = spec.units();
        this.firstBlock = spec.firstBlock();
        this.readPercent = spec.readPercent();
        this.special = special(spec, settings);
        this.picker = picker(spec, settings, seed);
        this.counters = new JobCounters(settings.latencyLevel() > 0);
        this.pattern = spec.writesPattern()
                ? new BlockPattern(spec.bdev().blockSize(), spec.patternBytes(), seed)
                : null;
        this.protection = Protection.of(spec.bdev().geometry(), settings.hideMetadata()).orElse(null);
        long alignment = Math.max(PAGE, spec.bdev().geometry().bufferAlignment());
        this.bufferStride = roundUp(bufferBytes, alignment);
        this.metadataBytes = protection == null || protection.interleaved()
                ? 0
                : blocksPerIo * spec.bdev().geometry().metadataSize();
        long metadataStride = roundUp(metadataBytes, alignment);
        this.tasks = new PerfTask[spec.depth()];
        this.memory = makeTasks(source, metadataStride);
    }

    private static int special(JobSpec spec, RunSettings settings) {
        Workload workload = spec.workload();
        return (workload.mixed() ? MIXED : 0) | (workload.verifies() ? VERIFY : 0)
                | (settings.uniqueData() && workload.changes() ? UNIQUE : 0)
                | (settings.latencyLevel() > 0 ? RECORDING : 0) | (settings.timeoutSeconds() > 0 ? WATCHED : 0)
                | (settings.zeroCopy() && workload.operation().moves() ? BORROWING : 0)
                | (spec.bdev().geometry().difType() > 0 && !settings.hideMetadata() ? PROTECTED : 0);
    }

    private static UnitPicker picker(JobSpec spec, RunSettings settings, long seed) {
        if (!spec.workload().random()) {
            return UnitPicker.inOrder(spec.units(), seed);
        }
        if (settings.zipfTheta() > 0) {
            return UnitPicker.skewed(spec.units(), settings.zipfTheta(), seed);
        }
        return settings.randomMap()
                ? UnitPicker.shuffled(spec.units(), seed)
                : UnitPicker.uniform(spec.units(), seed);
    }

    private static long roundUp(long bytes, long alignment) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    /// Makes the tasks with their buffers, which are filled if they are to be written.
    private MemoryRegion makeTasks(Memory source, long metadataStride) {
        long stride = bufferStride * (spec.workload().verifies() ? 2 : 1) + metadataStride;
        MemoryRegion region = source.allocate("bdevperf", spec.depth() * stride);
        for (int i = 0; i < tasks.length; i++) {
            if (pattern != null) {
                pattern.fill(region.segment(), i * stride, (int) blocksPerIo, i * blocksPerIo, 0);
            }
            tasks[i] = new PerfTask(this, i, region, i * stride);
        }
        return region;
    }

    JobSpec spec() {
        return spec;
    }

    /// Whether a failure or wrong data made it end early. After the end.
    boolean broken() {
        return broken;
    }

    /// Gives its memory back. After the end, on the control path.
    void free(Memory source) {
        source.free(memory);
    }

    // ---- life -------------------------------------------------------------------------------------------------

    /// Takes a channel of the device; what that throws is the caller's.
    void onOpen() {
        assert thread.isCurrent();
        channel = descriptor.channel();
    }

    /// Gives the channel back without having started.
    void onCancel() {
        assert thread.isCurrent();
        channel.release();
    }

    /// Submits the first I/Os, at the end of this turn or the next; the job stops by itself after the run's seconds.
    void onStart() {
        assert thread.isCurrent();
        startTick = thread.now();
        // From a poller behind the block layer's own: submitted before it, they would end in the same turn, in no time.
        start = thread.addPoller("bdevperf_start", new PollFunction() {
            @Override
            public int poll() {
                begin();
                return 1;
            }

            @Override
            public boolean readyToSleep() {
                return false;
            }
        });
        if (descriptor.bdev().removing()) {
            onRemoved(); // the device began to go before there was a job to be told
        }
    }

    private void begin() {
        start.unregister();
        if ((special & STOPPING) != 0) {
            return;
        }
        startTick = thread.now();
        long duration = TimeUnit.SECONDS.toNanos(settings.seconds());
        timers.add(thread.addTimedPoller("bdevperf_end", this::stopNow, duration));
        if ((special & WATCHED) != 0) {
            timers.add(thread.addTimedPoller("bdevperf_watch", this::watch, WATCH_NANOS));
        }
        if (spec.workload().resets()) {
            timers.add(thread.addTimedPoller("bdevperf_reset", this::reset,
                    Math.min(LONGEST_RESET_PERIOD_NANOS, duration / 4)));
        }
        busy = tasks.length;
        for (PerfTask task : tasks) {
            task.start();
        }
    }

    private int stopNow() {
        onStop();
        return 1;
    }

    /// Submits no more; the job ends when its I/Os have. After [#onStart()]; does nothing the second time.
    void onStop() {
        assert thread.isCurrent();
        if ((special & STOPPING) == 0) {
            special |= STOPPING;
            start.unregister();
            timers.forEach(Poller::unregister);
            timers.clear();
            endIfIdle();
        }
    }

    /// A task has stopped.
    void taskEnded() {
        busy--;
        endIfIdle();
    }

    private void endIfIdle() {
        if ((special & STOPPING) != 0 && busy == 0 && !ended) {
            ended = true;
            endTick = thread.now();
            channel.release();
            listener.ended(this);
        }
    }

    /// The device goes away.
    void onRemoved() {
        assert thread.isCurrent();
        if (start != null && !ended) {
            fail("its bdev was removed");
            onStop();
        }
    }

    /// What it has done so far. On its thread, or after the end.
    JobStatistics statistics() {
        return counters.statistics((ended ? endTick : thread.now()) - startTick);
    }

    // ---- the I/O path -----------------------------------------------------------------------------------------

    /// The first block of the next I/O.
    long nextOffset() {
        return firstBlock + picker.next() * blocksPerIo;
    }

    /// The first block of a unit.
    long offset(long unit) {
        return firstBlock + unit * blocksPerIo;
    }

    /// Of a mixed workload: whether the next I/O is a read.
    boolean nextIsRead() {
        return picker.chance(readPercent);
    }

    /// Numbers the writes, for data that is unique.
    long nextWrite() {
        return ++writes;
    }

    /// Whether each block holds what was written last: no write has failed.
    boolean contentKnown() {
        return !contentUnknown;
    }

    /// An I/O of `task` has failed.
    void failed(PerfTask task, long status) {
        contentUnknown = true;
        if (counters.failed(thread.now() - task.submitted()) && !spec.workload().resets()) {
            fail(task + " failed: " + BdevStatus.text(status));
        }
    }

    /// A block does not hold what was written there; its reader submitted its I/O at `submitted`.
    void corrupt(long block, String explanation, long submitted) {
        contentUnknown = true;
        counters.failed(thread.now() - submitted);
        fail("block " + block + " holds wrong data: " + explanation);
    }

    /// The protection information of what `task` read is wrong.
    void unprotected(PerfTask task, String explanation) {
        contentUnknown = true;
        counters.failed(thread.now() - task.submitted());
        fail(task + " got wrong protection information: " + explanation);
    }

    private void fail(String what) {
        boolean fatal = !settings.continueOnFailure();
        boolean first = !broken;
        broken = true;
        if (first) {
            listener.failed(this, "job " + spec.name() + ": " + what, fatal);
        }
        if (fatal) {
            onStop();
        }
    }

    // ---- starved I/O and resets -------------------------------------------------------------------------------

    private int watch() {
        long limit = thread.now() - TimeUnit.SECONDS.toNanos(settings.timeoutSeconds());
        int found = 0;
        for (PerfTask task : tasks) {
            if (task.running() && task.submitted() <= limit && task.starve()) {
                counters.timedOut();
                found++;
                if (settings.abortStarved() && channel.abort(task, this::abortEnded)) {
                    busy++;
                }
            }
        }
        return found;
    }

    private int reset() {
        if (resetting || !channel.reset(this::resetEnded)) {
            return 0; // the next period tries again
        }
        resetting = true;
        busy++;
        return 1;
    }

    /// An abort has ended: what it was for ends by itself.
    private void abortEnded(BdevIo abort) {
        taskEnded();
    }

    private void resetEnded(BdevIo io) {
        resetting = false;
        if (io.status() != 0) {
            fail("reset failed: " + BdevStatus.text(io.status()));
        }
        taskEnded();
    }
}
