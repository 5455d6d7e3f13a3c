package io.spindrift.bdev.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Reactor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A write and a read of one range, or of three, allocate nothing.
class FileAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {OneRange.class, ThreeRanges.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// A poller that submits a write and a read when the last ones have ended; an operation is one such pair.
    private abstract static class WriteAndRead implements Runnable, PollFunction {
        /// Memory, where there is such a file system: 80,000 requests take seconds on a disk.
        private static final Path MEMORY = Path.of("/dev/shm");

        private final ManualReactor reactor = new ManualReactor(1);
        private final Reactor core = reactor.reactors().reactor(0);
        private final IoThread thread = reactor.reactors().appThread();
        private final IoVector data = new IoVector(4);
        private final BdevCompletion completion = this::completed;
        private final BdevChannel channel;
        private long submitted;
        private long completed;

        WriteAndRead(int ranges) {
            try {
                Path directory = Files.isDirectory(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
                Path file = Files.write(Files.createTempFile(directory, "spindrift", ".img"), new byte[1 << 20]);
                file.toFile().deleteOnExit();
                Memory memory = new Memory(MemoryOptions.DEFAULT, reactor.reactors());
                BdevRegistry registry = new BdevRegistry(reactor.reactors(), new Notifications(), memory,
                        new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
                UringBdevModule module = new UringBdevModule();
                module.init(new BdevModuleContext(registry, reactor.reactors(), memory,
                        new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC())));
                Bdev bdev = module.create(new FileSpec(FileSpec.Family.URING, "F", file.toString(), 512, false, true,
                        Optional.empty(), false));
                channel = reactor.run(thread, registry.open(bdev.name(), true, thread, BdevEvents.IGNORE)::channel);
                MemoryRegion region = memory.allocate("test", 1 << 16);
                for (int i = 0; i < ranges; i++) {
                    data.add(region, i * 8192L, 4096);
                }
                reactor.run(thread, () -> thread.addPoller("test", this));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public int poll() {
            if (completed < submitted) {
                return 0;
            }
            long blocks = data.byteLength() / 512;
            channel.write(data, submitted % 1000, blocks, completion);
            channel.read(data, submitted % 900, blocks, completion);
            submitted += 2;
            return 2;
        }

        @Override
        public boolean readyToSleep() {
            return false;
        }

        private void completed(BdevIo io) {
            if (io.status() != BdevStatus.SUCCESS) {
                throw new AssertionError(BdevStatus.text(io.status()));
            }
            completed++;
        }

        @Override
        public void run() {
            long goal = completed + 2;
            while (completed < goal) {
                core.drive();
            }
        }
    }

    private static final class OneRange extends WriteAndRead {
        OneRange() {
            super(1);
        }
    }

    private static final class ThreeRanges extends WriteAndRead {
        ThreeRanges() {
            super(3);
        }
    }
}
