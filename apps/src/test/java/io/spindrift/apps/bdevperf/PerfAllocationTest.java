package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactor;
import java.time.Clock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A job in steady state allocates nothing, with all that is below it.
class PerfAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {RandomReads.class, MixedAndWatched.class, Verifying.class, Skewed.class, Mapped.class,
            Unmapping.class, Protected.class, Starved.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// One turn of a job's thread, in which each of its I/Os ends and the next begins.
    private abstract static class Turn implements Runnable, PerfJob.Listener {
        private static final String NULL = "io.spindrift.bdev.nulldev.NullBdevModule";
        private static final String MALLOC = "io.spindrift.bdev.malloc.MallocBdevModule";

        private final ManualReactor manual = new ManualReactor(1);
        private final Reactor core = manual.reactors().reactor(0);
        private final PerfJob job;
        private long before;

        Turn(boolean memory, Workload workload, RunSettings settings) {
            this(memory, workload, settings, "");
        }

        Turn(boolean memory, Workload workload, RunSettings settings, String more) {
            this(memory, workload, settings, more, BdevOptions.DEFAULT);
        }

        Turn(boolean memory, Workload workload, RunSettings settings, String more, BdevOptions options) {
            Memory source = new Memory(new MemoryOptions(false, 64), manual.reactors());
            RpcRegistry rpc = new RpcRegistry();
            BdevRegistry registry = new BdevRegistry(manual.reactors(), new Notifications(), source,
                    new BufferPools(source, BufferPoolOptions.DEFAULT), options);
            BdevModuleContext context = new BdevModuleContext(registry, manual.reactors(), source,
                    new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC()));
            try {
                BdevModule module = Class.forName(memory ? MALLOC : NULL).asSubclass(BdevModule.class).getConstructor()
                        .newInstance();
                rpc.register(module.rpcs());
                module.init(context);
            } catch (Exception e) {
                throw new IllegalStateException("the bdev module is not on the class path", e);
            }
            rpc.enter(RpcState.RUNTIME);
            rpc.dispatch(memory ? "bdev_malloc_create" : "bdev_null_create",
                    Json.parse("{\"name\": \"b\", \"num_blocks\": 4096, \"block_size\": 512" + more + "}"));
            IoThread thread = manual.reactors().appThread();
            BdevDescriptor descriptor = registry.open("b", true, thread, BdevEvents.IGNORE);
            job = new PerfJob(new JobSpec(registry.get("b"), CpuMask.of(0), workload, 1024, 3, 50, 0, 4096), settings,
                    settings.seed(), descriptor, thread, source, this);
            manual.run(thread, job::onOpen);
            manual.run(thread, job::onStart);
        }

        @Override
        public void run() {
            core.drive();
            core.drive(); // a verified write takes two turns
            core.drive(); // and an audit before it a third
            if (job.counters.completed() == before) {
                throw new AssertionError("no I/O has ended in this turn");
            }
            before = job.counters.completed();
        }

        @Override
        public void failed(PerfJob failing, String sentence, boolean fatal) {
            throw new AssertionError(sentence);
        }

        @Override
        public void ended(PerfJob ending) {
            throw new AssertionError("the job has ended");
        }
    }

    private static RunSettings settings() {
        return RunSettings.of(1000, 1);
    }

    private static final class RandomReads extends Turn {
        RandomReads() {
            super(false, Workload.RANDREAD, settings());
        }
    }

    private static final class MixedAndWatched extends Turn {
        MixedAndWatched() {
            super(true, Workload.RANDRW, settings().withLatencyLevel(2).withUniqueData().withTimeout(1));
        }
    }

    private static final class Verifying extends Turn {
        Verifying() {
            super(true, Workload.VERIFY, settings());
        }
    }

    private static final class Skewed extends Turn {
        Skewed() {
            super(false, Workload.RANDREAD, settings().withZipf(1.1));
        }
    }

    private static final class Mapped extends Turn {
        Mapped() {
            super(false, Workload.RANDWRITE, settings().withRandomMap());
        }
    }

    private static final class Unmapping extends Turn {
        Unmapping() {
            super(true, Workload.UNMAP, settings());
        }
    }

    private static final class Protected extends Turn {
        Protected() {
            super(true, Workload.VERIFY, settings(), ", \"md_size\": 8, \"md_interleave\": true, \"dif_type\": 1");
        }
    }

    /// Three tasks, two pooled I/Os: each end feeds one that waits.
    private static final class Starved extends Turn {
        Starved() {
            super(false, Workload.RANDREAD, settings(), "", new BdevOptions(2, 1, true, 0, 0));
        }
    }
}
