package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Jobs on reactors that the test drives, and what they told.
final class PerfFixture implements AutoCloseable, PerfJob.Listener {
    static final long SECOND = 1_000_000_000L;

    final ManualReactor manual = new ManualReactor(2);
    final Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
    final BdevRegistry registry;
    final IoThread thread = manual.thread("job", 0);
    final List<String> failures = new ArrayList<>();
    int ended;
    /// What the last job was opened on.
    BdevDescriptor descriptor;

    PerfFixture() {
        this(BdevOptions.DEFAULT.ioPoolSize());
    }

    PerfFixture(int ioPoolSize) {
        BdevOptions options = BdevOptions.DEFAULT;
        registry = new BdevRegistry(manual.reactors(), new Notifications(), memory,
                new BufferPools(memory, BufferPoolOptions.DEFAULT),
                new BdevOptions(ioPoolSize, options.ioCacheSize(), false, options.smallBufferCache(),
                        options.largeBufferCache()));
    }

    /// A disk of 512-byte blocks called `name` that does everything.
    FaultyDisk disk(String name, long numBlocks) {
        return disk(name, BdevGeometry.of(512), numBlocks, BdevIoType.READ, BdevIoType.WRITE, BdevIoType.UNMAP,
                BdevIoType.WRITE_ZEROES, BdevIoType.FLUSH, BdevIoType.RESET, BdevIoType.ABORT, BdevIoType.ZCOPY_START,
                BdevIoType.ZCOPY_END);
    }

    FaultyDisk disk(String name, BdevGeometry geometry, long numBlocks, Integer... types) {
        FaultyDisk disk = new FaultyDisk(manual.reactors(), geometry.blockSize(), numBlocks, types);
        registry.register(disk, disk,
                BdevRegistration.of(name, "Faulty disk", Optional.empty(), numBlocks, geometry));
        return disk;
    }

    /// A job of I/Os of one block on all of a disk.
    JobSpec spec(String name, Workload workload, int depth) {
        return spec(name, workload, depth, 1);
    }

    JobSpec spec(String name, Workload workload, int depth, int blocks) {
        Bdev bdev = registry.get(name);
        return new JobSpec(bdev, CpuMask.of(0), workload, blocks * bdev.blockSize(), depth, 50, 0, bdev.numBlocks());
    }

    /// Starts a job of 10 seconds.
    PerfJob start(JobSpec spec) {
        return start(spec, RunSettings.of(10, 1));
    }

    PerfJob start(JobSpec spec, RunSettings settings) {
        PerfJob job = open(spec, settings);
        manual.run(thread, job::onStart);
        return job;
    }

    PerfJob open(JobSpec spec, RunSettings settings) {
        descriptor = registry.open(spec.name(), spec.workload().changes(), thread, BdevEvents.IGNORE);
        PerfJob job = new PerfJob(spec, settings, settings.seed(), descriptor, thread, memory, this);
        manual.run(thread, job::onOpen);
        return job;
    }

    /// Gives the job `turns` turns of a microsecond each.
    void turns(int turns) {
        for (int i = 0; i < turns; i++) {
            manual.clock().advance(1000);
            manual.step(0);
        }
    }

    /// Has the job end by itself after its time.
    void expire() {
        manual.clock().advance(10 * SECOND);
        manual.stepUntil(() -> ended > 0);
    }

    /// Runs `body` with a fixture.
    static void with(Consumer<PerfFixture> body) {
        try (PerfFixture fixture = new PerfFixture()) {
            body.accept(fixture);
        }
    }

    @Override
    public void failed(PerfJob job, String sentence, boolean fatal) {
        failures.add(sentence);
    }

    @Override
    public void ended(PerfJob job) {
        ended++;
    }

    @Override
    public void close() {
        manual.close();
        memory.close();
    }
}
