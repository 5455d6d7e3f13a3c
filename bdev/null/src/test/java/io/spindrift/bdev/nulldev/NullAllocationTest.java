package io.spindrift.bdev.nulldev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Reactor;
import java.time.Clock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NullAllocationTest {
    private static final int BLOCKS = 8;

    @ParameterizedTest
    @ValueSource(classes = {Plain.class, Protected.class, Longer.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// In each turn of a thread, one read and then a write of the same blocks; they complete in the next turn.
    private abstract static class ReadAndWrite implements Runnable, PollFunction {
        private final ManualReactor reactor = new ManualReactor(1);
        private final Reactor core = reactor.reactors().reactor(0);
        private final BdevChannel channel;
        private final int blocks;
        private final IoVector data = new IoVector(1);
        private final BdevCompletion completion = this::completed;
        private long submitted;
        private long completed;

        /// I/O of `blocks` blocks, with a vector of 8, on a bdev made with the parameters `more`.
        ReadAndWrite(String more, int blocks) {
            this.blocks = blocks;
            Memory memory = new Memory(MemoryOptions.DEFAULT, reactor.reactors());
            RpcRegistry rpc = new RpcRegistry();
            BdevRegistry registry = new BdevRegistry(reactor.reactors(), new Notifications(), memory,
                    new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
            NullBdevModule module = new NullBdevModule();
            rpc.register(module.rpcs());
            module.init(new BdevModuleContext(registry, reactor.reactors(), memory,
                    new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC())));
            rpc.enter(RpcState.RUNTIME);
            rpc.dispatch("bdev_null_create", Json.parse(
                    ("{'name': 'N', 'num_blocks': 100, 'block_size': 512" + more + "}").replace('\'', '"')));
            IoThread thread = reactor.reactors().appThread();
            BdevDescriptor descriptor = registry.open("N", true, thread, BdevEvents.IGNORE);
            channel = reactor.run(thread, descriptor::channel);
            data.add(memory.allocate("test", 1 << 16), 0, (long) BLOCKS * registry.get("N").blockSize());
            reactor.run(thread, () -> thread.addPoller("test", this));
        }

        private void completed(BdevIo io) {
            if (io.status() == 0) {
                completed++;
            }
        }

        @Override
        public void run() {
            core.drive();
            if (submitted - completed > 4) {
                throw new AssertionError(submitted + " I/Os were submitted, " + completed + " succeeded");
            }
        }

        @Override
        public int poll() {
            channel.read(data, 3, blocks, completion);
            channel.write(data, 3, blocks, completion);
            submitted += 2;
            return 2;
        }

        @Override
        public boolean readyToSleep() {
            return false;
        }
    }

    private static final class Plain extends ReadAndWrite {
        Plain() {
            super("", BLOCKS);
        }
    }

    private static final class Protected extends ReadAndWrite {
        Protected() {
            super(", 'md_size': 8, 'dif_type': 1", BLOCKS);
        }
    }

    /// The vector is longer than the request, and is cut.
    private static final class Longer extends ReadAndWrite {
        Longer() {
            super("", BLOCKS - 1);
        }
    }
}
