package io.spindrift.test.tgt;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevIo;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reply;
import java.util.ArrayList;
import java.util.List;

/// An open bdev of an [EmbeddedTarget] with a channel on one thread, used from a test's thread.
public final class OpenBdev implements AutoCloseable {
    private final BdevDescriptor descriptor;
    private final IoThread thread;
    private final BdevChannel channel;
    private final boolean ownsDescriptor;

    private OpenBdev(BdevDescriptor descriptor, IoThread thread, boolean ownsDescriptor) {
        this.descriptor = descriptor;
        this.thread = thread;
        this.ownsDescriptor = ownsDescriptor;
        this.channel = thread.call(descriptor::channel);
    }

    /// One of the channel's methods: returns what it returns.
    @FunctionalInterface
    public interface Submit {
        boolean to(BdevChannel channel, BdevCompletion completion);
    }

    /// One of the channel's methods for the I/O with a number.
    @FunctionalInterface
    public interface NumberedSubmit {
        boolean to(BdevChannel channel, int number, BdevCompletion completion);
    }

    /// Opens the bdev for reading and writing, its channel on `thread`.
    public static OpenBdev open(EmbeddedTarget target, String name, IoThread thread) {
        return open(target, name, true, thread, BdevEvents.IGNORE);
    }

    /// Opens the bdev; `events` come on `thread`, where the channel is.
    public static OpenBdev open(EmbeddedTarget target, String name, boolean writable, IoThread thread,
            BdevEvents events) {
        return new OpenBdev(target.registry().open(name, writable, thread, events), thread, true);
    }

    /// The same open bdev with a channel on another thread; to be closed first.
    public OpenBdev on(IoThread other) {
        return new OpenBdev(descriptor, other, false);
    }

    public Bdev bdev() {
        return descriptor.bdev();
    }

    public IoThread thread() {
        return thread;
    }

    public BdevChannel channel() {
        return channel;
    }

    /// Submits one I/O, waits for its end and returns its status.
    public long run(Submit submit) {
        return thread.callAsync(reply -> {
            if (!submit.to(channel, io -> reply.complete(io.status()))) {
                reply.fail(new AssertionError("no pooled I/O"));
            }
        });
    }

    /// Submits `count` I/Os in one turn, waits for the end of all, and returns the status of each by its number.
    public List<Long> runAll(int count, NumberedSubmit submit) {
        return thread.callAsync(reply -> {
            Batch batch = new Batch(count, reply);
            for (int number = 0; number < count; number++) {
                batch.submit(channel, number, submit);
            }
        });
    }

    /// Collects the ends of I/Os that were submitted together. On the channel's thread.
    private static final class Batch {
        private final Long[] statuses;
        private final Reply<List<Long>> reply;
        private int outstanding;

        Batch(int count, Reply<List<Long>> reply) {
            this.statuses = new Long[count];
            this.reply = reply;
            this.outstanding = count;
        }

        void submit(BdevChannel channel, int number, NumberedSubmit submit) {
            if (!submit.to(channel, number, io -> ended(number, io))) {
                reply.fail(new AssertionError("no pooled I/O for number " + number));
            }
        }

        private void ended(int number, BdevIo io) {
            if (statuses[number] != null) {
                reply.fail(new AssertionError("I/O " + number + " ended twice"));
                return;
            }
            statuses[number] = io.status();
            if (--outstanding == 0) {
                reply.complete(new ArrayList<>(List.of(statuses)));
            }
        }
    }

    @Override
    public void close() {
        thread.run(channel::release);
        if (!ownsDescriptor) {
            return;
        }
        try {
            descriptor.closeAndWait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while closing " + bdev(), e);
        }
    }
}
