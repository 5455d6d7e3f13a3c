package io.spindrift.apps.nvme.perf;

import io.spindrift.apps.load.JobCounters;
import io.spindrift.apps.load.JobStatistics;
import io.spindrift.apps.load.UnitPicker;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What one core does with one namespace: keeps `-q` I/Os on their way and counts them.
///
/// Made and connected on the control path; the methods called `onX` and those of the I/O path run on its thread. The I/O
/// path ([#nextLba()] and what else [PerfTask] calls) neither blocks nor allocates.
/// ```
///   connect -> onStart -> ... (warm-up, time, number of I/Os, a failure) -> onStop -> the last task ends -> Listener.ended
/// ```
/// **Latencies.** By default they are differences of the thread's ticks, which are read once a poll: averages are exact,
/// since each task's I/Os follow one another without a gap, single ones are exact to the length of a poll. With `-L` the clock
/// is read at the end of each I/O (35-40 ns), so that percentiles are, too.
final class NamespaceLoad implements QueuePairListener {
    /// Who is told what happens to a load, on the load's thread.
    interface Listener {
        /// An I/O has failed; the status is as in [io.spindrift.nvme.spec.Status].
        void ioFailed(NamespaceLoad load, boolean read, int status);

        /// A queue pair is of no more use, for the reason in words; the load ends.
        void disconnected(NamespaceLoad load, String reason);

        /// The load has no I/O any more.
        void ended(NamespaceLoad load);
    }

    // What keeps its I/O off the shortest path.
    static final int DRAINING = 1;
    static final int MIXED = 2;
    static final int SEVERAL_COMMANDS = 4;
    static final int RECORDING = 8;
    static final int LIMITED = 16;

    private static final long SEED_STEP = 0x9e3779b97f4a7c15L;
    private static final int PATTERNS = 8;
    private static final int MAX_REQUESTS = 32_768;

    private final PerfNamespace namespace;
    private final int core;
    private final PerfOptions options;
    private final Listener listener;
    private final UnitPicker picker;
    private final int readPercent;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Poller> timers = new ArrayList<>();
    private final long ios;

    // Read by the tasks for each I/O.
    final IoThread thread;
    final long nsid;
    final int blocks;
    final int commandBlocks;
    final int flags;
    final boolean reads;
    final JobCounters counters;
    int special;

    private PerfTask[] tasks = {};
    private MemoryRegion memory;
    private long submitted;
    private long startTick;
    private long endTick;
    private int busy;
    private boolean started;
    private boolean ended;
    private boolean broken;

    /// A load of `namespace` by `thread`, which runs on `core`; `number` tells it from others with the same options.
    NamespaceLoad(PerfNamespace namespace, int core, IoThread thread, PerfOptions options, int number,
            Listener listener) {
        this.namespace = namespace;
        this.core = core;
        this.thread = thread;
        this.options = options;
        this.listener = listener;
        this.nsid = namespace.namespace().nsid();
        this.blocks = namespace.blocks();
        this.commandBlocks = namespace.commandBlocks();
        this.flags = namespace.flags();
        this.readPercent = options.readPercent();
        this.reads = readPercent > 0;
        this.counters = new JobCounters(options.latencyLevel > 0);
        this.picker = picker(options, namespace.units(), System.nanoTime() + number * SEED_STEP);
        this.ios = limit(options, namespace.units());
        this.special = (readPercent % 100 != 0 ? MIXED : 0) | (namespace.commands() > 1 ? SEVERAL_COMMANDS : 0)
                | (options.latencyLevel > 0 ? RECORDING : 0) | (ios > 0 ? LIMITED : 0);
    }

    private static UnitPicker picker(PerfOptions options, long units, long seed) {
        if (!options.pattern.orElseThrow().random()) {
            return UnitPicker.inOrder(units, seed);
        }
        return options.zipfTheta > 0
                ? UnitPicker.skewed(units, options.zipfTheta, seed)
                : UnitPicker.uniform(units, seed);
    }

    private static long limit(PerfOptions options, long units) {
        return options.iosPercent.isPresent()
                ? Math.max(1, (long) (units * (options.iosPercent.getAsInt() / 100.0)))
                : options.ios.orElse(0);
    }

    // ---- control path -----------------------------------------------------------------------------------------

    PerfNamespace namespace() {
        return namespace;
    }

    int core() {
        return core;
    }

    /// How many I/Os it submits at most; 0 for no limit.
    long ios() {
        return ios;
    }

    /// Connects its queue pairs and makes its tasks, with memory of `source`; what is not there is closed with the
    /// controller.
    void connect(Memory source) throws Exception {
        int requests = Math.multiplyExact(options.tasksOfQueuePair(), namespace.commands());
        if (requests > MAX_REQUESTS) {
            throw new IllegalArgumentException("-q " + options.depth.orElseThrow() + " of " + namespace.commands()
                    + " commands each take " + requests + " requests of a queue pair, which has " + MAX_REQUESTS
                    + " at most; -P gives more queue pairs");
        }
        for (int i = 0; i < options.queuePairs; i++) {
            queuePairs.add(namespace.controller().connectQueuePair(thread, requests, this));
        }
        for (int i = 0; i < options.unusedQueuePairs; i++) {
            namespace.controller().connectQueuePair(thread, 1, QueuePairListener.IGNORE);
        }
        int depth = options.depth.orElseThrow();
        long alignment = Math.max(options.alignment, namespace.controller().dataAlignment());
        long dataStride = roundUp(namespace.bufferBytes(), alignment);
        long metadataStride = roundUp(namespace.metadataBytes(), alignment);
        memory = source.allocate("spdk_nvme_perf", depth * (dataStride + metadataStride));
        thread.run(() -> makeTasks(depth, dataStride, metadataStride));
    }

    private static long roundUp(long bytes, long alignment) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    private void makeTasks(int depth, long dataStride, long metadataStride) {
        tasks = new PerfTask[depth];
        for (int i = 0; i < depth; i++) {
            long at = i * (dataStride + metadataStride);
            memory.segment().asSlice(at, dataStride + metadataStride).fill((byte) (i % PATTERNS + 1));
            QueuePair queuePair = queuePairs.get(i % queuePairs.size());
            NvmeRequest[] requests = new NvmeRequest[namespace.commands()];
            IoVector[] vectors = new IoVector[requests.length];
            for (int c = 0; c < requests.length; c++) {
                requests[c] = queuePair.acquire();
                vectors[c] = vector(at, (long) c * commandBlocks);
            }
            tasks[i] = new PerfTask(this, requests, vectors);
        }
    }

    /// The data of a command that begins `before` blocks after its I/O, whose data begin at `at`.
    private IoVector vector(long at, long before) {
        long bytes = Math.min(commandBlocks, blocks - before) * namespace.blockBytes();
        long start = at + before * namespace.blockBytes();
        int unit = options.unitSize.orElse(Integer.MAX_VALUE);
        IoVector vector = new IoVector((int) Math.max(1, (bytes + unit - 1) / unit));
        for (long done = 0; done < bytes; done += unit) {
            vector.add(memory, start + done, Math.min(unit, bytes - done));
        }
        return vector;
    }

    /// Gives its memory back. After the end, and after its queue pairs'.
    void free(Memory source) {
        queuePairs.forEach(namespace.controller()::disconnectQueuePair);
        if (memory != null) {
            source.free(memory);
        }
    }

    /// Whether it lost a queue pair, or an I/O has failed and that was to be the end. After the end.
    boolean broken() {
        return broken;
    }

    // ---- life -------------------------------------------------------------------------------------------------

    /// Submits the first I/Os; the load ends by itself when its time is over.
    void onStart() {
        assert thread.isCurrent();
        started = true;
        startTick = thread.now();
        if ((special & DRAINING) == 0) {
            if (options.warmUpSeconds > 0) {
                timer("nvme_perf_warm_up", options.warmUpSeconds, this::onWarm);
            } else {
                onMeasure();
            }
            busy = tasks.length;
            long now = clock();
            for (PerfTask task : tasks) {
                if ((special & DRAINING) == 0) {
                    task.next(now);
                } else {
                    busy--;
                }
            }
        }
        endIfIdle();
    }

    private void timer(String name, int seconds, Runnable action) {
        timers.add(thread.addTimedPoller(name, () -> {
            action.run();
            return 1;
        }, TimeUnit.SECONDS.toNanos(seconds)));
    }

    private void onWarm() {
        dropTimers();
        counters.reset();
        onMeasure();
    }

    private void onMeasure() {
        startTick = thread.now();
        timer("nvme_perf_end", options.seconds.orElseThrow(), this::onStop);
    }

    private void dropTimers() {
        timers.forEach(Poller::unregister);
        timers.clear();
    }

    /// Submits no more; the load ends when its I/Os have. Does nothing the second time.
    void onStop() {
        assert thread.isCurrent();
        if ((special & DRAINING) == 0) {
            special |= DRAINING;
            dropTimers();
            endIfIdle();
        }
    }

    private void endIfIdle() {
        if (started && (special & DRAINING) != 0 && busy == 0 && !ended) {
            ended = true;
            endTick = thread.now();
            listener.ended(this);
        }
    }

    /// Before the I/Os that the queue pair had are ended.
    @Override
    public void disconnected(QueuePair queuePair, String reason) {
        if (!ended) {
            broken = true;
            listener.disconnected(this, reason);
            onStop();
        }
    }

    /// What it has done so far. On its thread, or after the end.
    JobStatistics statistics() {
        return counters.statistics((ended ? endTick : thread.now()) - startTick);
    }

    // ---- the I/O path -----------------------------------------------------------------------------------------

    /// The first block of the next I/O.
    long nextLba() {
        return picker.next() * blocks;
    }

    /// Of a mixed load: whether the next I/O is a read.
    boolean nextIsRead() {
        return (special & MIXED) == 0 ? reads : picker.chance(readPercent);
    }

    /// The time, to what latencies are to be exact.
    long clock() {
        return (special & RECORDING) == 0 ? thread.now() : System.nanoTime();
    }

    /// An I/O is about to be submitted that counts against a limit.
    void counted() {
        if ((special & LIMITED) != 0 && ++submitted >= ios) {
            onStop();
        }
    }

    /// An I/O has failed `latency` nanoseconds after it was submitted.
    void failed(boolean read, int status, long latency) {
        counters.failed(latency);
        listener.ioFailed(this, read, status);
        if (!options.goOn) {
            broken = true;
            if (Status.code(status) == GenericStatus.INVALID_NAMESPACE_OR_FORMAT) {
                onStop(); // it is gone
            }
        }
    }

    /// A task has ended: it may submit no more, or could not.
    void taskEnded() {
        busy--;
        endIfIdle();
    }
}
