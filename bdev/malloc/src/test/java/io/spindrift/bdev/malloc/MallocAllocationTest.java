package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifType;
import io.spindrift.bdev.dif.PiFormat;
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

class MallocAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {Plain.class, Interleaved.class, Separate.class, LongReads.class, LongUnmaps.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// In each turn of a thread, one write and one read through the block layer; they complete in the next turn.
    private abstract static class WriteAndRead implements Runnable, PollFunction {
        private final ManualReactor reactor = new ManualReactor(1);
        private final Reactor core = reactor.reactors().reactor(0);
        private final BdevChannel channel;
        private final IoVector data = new IoVector(1);
        private final BdevIoOptions options = new BdevIoOptions();
        private final int blocks;
        private final long numBlocks;
        private final BdevCompletion completion = this::completed;
        private long submitted;
        private long completed;
        private long block;

        /// I/O of `blocks` blocks on a bdev of a thousand, made with the parameters `more`.
        WriteAndRead(String more, int blocks) {
            this(more, blocks, 1000);
        }

        WriteAndRead(String more, int blocks, long numBlocks) {
            this.blocks = blocks;
            this.numBlocks = numBlocks;
            Memory memory = new Memory(MemoryOptions.DEFAULT, reactor.reactors());
            RpcRegistry rpc = new RpcRegistry();
            BdevRegistry registry = new BdevRegistry(reactor.reactors(), new Notifications(), memory,
                    new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
            MallocBdevModule module = new MallocBdevModule();
            rpc.register(module.rpcs());
            module.init(new BdevModuleContext(registry, reactor.reactors(), memory,
                    new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC())));
            rpc.enter(RpcState.RUNTIME);
            rpc.dispatch("bdev_malloc_create",
                    Json.parse(("{'name': 'M', 'num_blocks': " + numBlocks + ", 'block_size': 512" + more + "}")
                            .replace('\'', '"')));
            IoThread thread = reactor.reactors().appThread();
            BdevDescriptor descriptor = registry.open("M", true, thread, BdevEvents.IGNORE);
            channel = reactor.run(thread, descriptor::channel);
            BdevGeometry geometry = registry.get("M").geometry();
            data.add(memory.allocate("test", 2 << 20), 0, (long) blocks * geometry.blockSize());
            if (geometry.metadataSize() > 0) {
                fill(memory, geometry);
            }
            reactor.run(thread, () -> thread.addPoller("test", this));
        }

        /// Makes protection information that fits block 0, to which all I/O then goes.
        private void fill(Memory memory, BdevGeometry geometry) {
            Dif dif = new Dif(new DifFormat(512, 8, geometry.metadataInterleaved(), DifType.TYPE_1, PiFormat.GUARD_16,
                    false));
            dif.tags(0, 0, 0);
            if (geometry.metadataInterleaved()) {
                dif.generate(data, blocks);
            } else {
                IoVector metadata = new IoVector(1);
                metadata.add(memory.allocate("test", 4096), 0, blocks * 8L);
                dif.generate(data, metadata, blocks);
                options.metadata(metadata);
            }
        }

        private void completed(BdevIo io) {
            if (io.status() == BdevStatus.SUCCESS) {
                completed++;
            }
        }

        @Override
        public void run() {
            core.drive();
            if (submitted - completed > 4) {
                throw new AssertionError(submitted + " I/Os were submitted, " + completed + " completed");
            }
        }

        @Override
        public int poll() {
            if (options.metadata() == null && channel.bdev().geometry().metadataSize() == 0) {
                block = (block + 8) % (numBlocks - 8);
            }
            channel.write(data, block, blocks, options, completion);
            submitted++;
            return 1 + read();
        }

        final boolean idle() {
            return submitted == completed;
        }

        final int read() {
            channel.read(data, block, blocks, options, completion);
            submitted++;
            return 1;
        }

        final int unmap(long count) {
            channel.unmap(0, count, completion);
            submitted++;
            return 1;
        }

        @Override
        public boolean readyToSleep() {
            return false;
        }
    }

    private static final class Plain extends WriteAndRead {
        Plain() {
            super("", 8);
        }
    }

    private static final class Interleaved extends WriteAndRead {
        Interleaved() {
            super(", 'md_size': 8, 'md_interleave': true, 'dif_type': 1", 8);
        }
    }

    private static final class Separate extends WriteAndRead {
        Separate() {
            super(", 'md_size': 8, 'dif_type': 1", 8);
        }
    }

    /// Reads of a block more than a turn moves, one after the other.
    private static final class LongReads extends WriteAndRead {
        LongReads() {
            super("", (1 << 20) / 512 + 1, 1 << 12);
        }

        @Override
        public int poll() {
            return idle() ? read() : 0;
        }
    }

    /// Unmaps of twice as many protected blocks as a turn marks.
    private static final class LongUnmaps extends WriteAndRead {
        private static final int BLOCKS = 1 << 20;

        LongUnmaps() {
            super(", 'md_size': 8, 'md_interleave': true, 'dif_type': 1", 8, BLOCKS);
        }

        @Override
        public int poll() {
            return idle() ? unmap(BLOCKS) : 0;
        }
    }
}
