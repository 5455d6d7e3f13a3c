package io.spindrift.bdev;

import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import java.util.function.Consumer;

/// A block layer on reactors that the test drives.
final class BdevFixture implements AutoCloseable {
    static final int[] READ_WRITE = {BdevIoType.READ, BdevIoType.WRITE, BdevIoType.RESET, BdevIoType.ABORT};

    final ManualReactor manual = new ManualReactor(2);
    final Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
    final BufferPools pools;
    final BdevRegistry registry;
    final IoThread a = manual.thread("a", 0);
    final IoThread b = manual.thread("b", 1);

    BdevFixture() {
        this(BdevOptions.DEFAULT, BufferPoolOptions.DEFAULT);
    }

    BdevFixture(BdevOptions options, BufferPoolOptions bufferOptions) {
        pools = new BufferPools(memory, bufferOptions);
        registry = new BdevRegistry(manual.reactors(), new Notifications(), memory, pools,
                new BdevOptions(options.ioPoolSize(), options.ioCacheSize(), false, options.smallBufferCache(),
                        options.largeBufferCache()));
    }

    FakeDisk disk(String name, long numBlocks, BdevGeometry geometry, int... types) {
        FakeDisk disk = new FakeDisk(manual.reactors(), geometry.blockSize(), numBlocks, types);
        registry.register(disk, disk, FakeDisk.registration(name, numBlocks, geometry));
        return disk;
    }

    BdevDescriptor open(String name) {
        return registry.open(name, true, a, BdevEvents.IGNORE);
    }

    BdevChannel channel(BdevDescriptor descriptor, IoThread thread) {
        return manual.run(thread, descriptor::channel);
    }

    /// An I/O's outcome, once it is there.
    static final class Outcome implements BdevCompletion {
        Long status;
        long result;
        int count;

        @Override
        public void completed(BdevIo io) {
            status = io.status();
            result = io.result();
            count++;
        }
    }

    /// Submits on the channel's thread and does not wait.
    Outcome begin(BdevChannel channel, Consumer<Outcome> submit) {
        Outcome outcome = new Outcome();
        manual.run(channel.thread(), () -> submit.accept(outcome));
        return outcome;
    }

    /// Submits and steps until the outcome is there.
    long complete(BdevChannel channel, Consumer<Outcome> submit) {
        Outcome outcome = begin(channel, submit);
        manual.stepUntil(() -> outcome.status != null);
        return outcome.status;
    }

    @Override
    public void close() {
        manual.close();
    }
}
