package io.spindrift.nvmf;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A target with a poll group on each of two cores, on reactors that the test drives; the control path's tasks run beside
/// it on threads of their own.
public final class TargetFixture implements AutoCloseable {
    public static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    public static final String HOST = "nqn.2014-08.org.example:host1";

    public final ManualReactor manual = new ManualReactor(2);
    public final BdevRegistry registry;
    final RecordingEngine engine = new RecordingEngine();
    public final FakeTransport transport = new FakeTransport();
    final NvmfTargets targets;
    public final NvmfTarget target;

    TargetFixture() throws Exception {
        this(TargetOptions.DEFAULT);
    }

    TargetFixture(TargetOptions options) throws Exception {
        this(options, null);
    }

    /// With an engine of the test's own.
    TargetFixture(TargetOptions options, NvmfEngine own) throws Exception {
        this(options, own, BdevOptions.DEFAULT);
    }

    /// With settings of the block layer, too.
    public TargetFixture(TargetOptions options, NvmfEngine own, BdevOptions bdev) throws Exception {
        Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
        BufferPools pools = new BufferPools(memory, BufferPoolOptions.DEFAULT);
        registry = new BdevRegistry(manual.reactors(), new Notifications(), memory, pools, bdev);
        targets = new NvmfTargets(registry, own == null ? engine : own);
        target = control(() -> targets.create("nvmf_tgt", options));
        control(() -> target.addTransport("FAKE", () -> transport));
    }

    /// With `pieces` of memory to lend, if any.
    public FakeDisk disk(String name, MemorySegment... pieces) {
        return FakeDisk.register(registry, name, UUID.nameUUIDFromBytes(name.getBytes()), BdevGeometry.of(512), pieces);
    }

    public NvmfSubsystem subsystem() throws Exception {
        return subsystem(NQN, SubsystemOptions.DEFAULT);
    }

    public NvmfSubsystem subsystem(String nqn, SubsystemOptions options) throws Exception {
        return control(() -> target.createSubsystem(nqn, options, true));
    }

    static SubsystemOptions options(long maxNamespaces, boolean anaReporting) {
        SubsystemOptions from = SubsystemOptions.DEFAULT;
        return new SubsystemOptions(from.serialNumber(), from.modelNumber(), "", maxNamespaces, anaReporting,
                from.minCntlid(), from.maxCntlid(), from.dmrsl(), from.wzsl(), false, false);
    }

    public static TransportAddress address(String traddr) {
        return new TransportAddress("FAKE", AddressFamily.IPV4, traddr, "4420");
    }

    public PollGroup group(int index) {
        return target.pollGroups().get(index);
    }

    public IoThread thread(int index) {
        return group(index).thread();
    }

    /// Begins a task of the control path, which goes on as the test drives the reactors.
    public <T> Future<T> begin(Callable<T> task) {
        return manual.reactors().control().submit(task);
    }

    /// Drives the reactors until the task has ended.
    public <T> T end(Future<T> task) throws Exception {
        driveUntil(task::isDone);
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    public <T> T control(Callable<T> task) throws Exception {
        return end(begin(task));
    }

    /// Without a limit of its own: the test's time-out ends what never comes.
    public void driveUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (manual.stepAll() == 0) {
                LockSupport.parkNanos(10_000); // the control path's threads need the core
            }
        }
    }

    public GroupSubsystem on(int index, NvmfSubsystem subsystem) {
        return manual.run(thread(index), () -> group(index).subsystem(subsystem));
    }

    @Override
    public void close() {
        try {
            control(() -> {
                targets.close();
                return null;
            });
        } catch (Exception e) {
            throw new AssertionError("the targets do not close", e);
        }
        manual.close();
    }
}
