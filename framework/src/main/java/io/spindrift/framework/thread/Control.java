package io.spindrift.framework.thread;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// The control path's threads: virtual ones for straight-line sequences, a bounded pool of platform threads for
/// native calls that can block (they would pin a virtual thread's carrier), and the dispatcher.
///
/// The dispatcher resumes control threads for the reactors, which only enqueue their replies: a wake costs its sender
/// 1-19 microseconds. It looks at its queue at short intervals while anyone waits and sleeps otherwise, until the first
/// waiter wakes it; it is no daemon, and so keeps the JVM up until [#close()].
public final class Control implements AutoCloseable {
    private static final int BLOCKING_THREADS = 4;
    private static final long SHORTEST_NAP_NANOS = 20_000;
    private static final long LONGEST_NAP_NANOS = 2_000_000;
    /// How long tasks have to end by themselves once the reactors have.
    private static final long CLOSE_GRACE_NANOS = 100_000_000;

    private final MessageQueue replies = new MessageQueue();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ExecutorService virtual;
    private final ExecutorService blocking;
    private final Thread dispatcher;
    private volatile boolean closed;
    private volatile boolean dispatcherEnded;

    Control(String name) {
        virtual = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-control-", 0).factory());
        blocking = Executors.newFixedThreadPool(BLOCKING_THREADS,
                Thread.ofPlatform().daemon().name(name + "-blocking-", 0).factory());
        dispatcher = Thread.ofPlatform().name(name + "-dispatcher").start(this::dispatch);
    }

    /// The executor of control tasks, each on a virtual thread of its own.
    public ExecutorService executor() {
        return virtual;
    }

    /// Starts `task` on a virtual thread. Not from a reactor.
    public <T> Future<T> submit(Callable<T> task) {
        assert IoThread.current() == null : "a reactor starts no virtual thread";
        return virtual.submit(task);
    }

    /// Runs `task` on a platform thread of the bounded pool and waits for it: for native calls that can block. An
    /// exception of the task is thrown here; if the waiter is interrupted the task goes on. Not from a reactor.
    public <T> T blocking(Callable<T> task) throws Exception {
        assert IoThread.current() == null : "a reactor never waits";
        try {
            return blocking.submit(task).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /// Starts `task` on a virtual thread by way of the dispatcher: what a reactor calls to begin control work, which is
    /// rare. Allocates; wakes the dispatcher if nobody waits for it yet.
    public void fromReactor(Runnable task) {
        expectOne();
        replies.offer(new Message() {
            @Override
            protected void run() {
                begin(task);
            }
        });
    }

    /// One more message will come: the dispatcher looks for it until it has.
    private void expectOne() {
        if (waiting.getAndIncrement() == 0) {
            LockSupport.unpark(dispatcher); // it parks after it has read 0: then this ends the park, or comes before it
        }
    }

    private void begin(Runnable task) {
        try {
            virtual.execute(task);
        } catch (RejectedExecutionException closing) {
            // It waits for its tasks, and one of them may wait for this one.
            Thread.startVirtualThread(task);
        }
    }

    /// A reply for the calling thread to wait for; it must be answered.
    <T> Reply<T> newReply() {
        assert IoThread.current() == null : "a reactor never waits";
        expectOne();
        return new Reply<>(this);
    }

    /// From a reactor: no system call.
    void deliver(Reply<?> reply) {
        replies.offer(reply);
        if (dispatcherEnded) { // pairs with the end of dispatch(): either that sees the reply, or this sees the end
            runLateReplies();
        }
    }

    /// After the dispatcher has ended, when several threads may find late replies.
    private synchronized void runLateReplies() {
        for (Message reply = replies.poll(); reply != null; reply = replies.poll()) {
            reply.run();
        }
    }

    private void dispatch() {
        long nap = SHORTEST_NAP_NANOS;
        while (!closed) {
            Message reply = replies.poll();
            if (reply != null) {
                waiting.decrementAndGet();
                reply.run();
                nap = SHORTEST_NAP_NANOS;
            } else if (waiting.get() == 0) {
                LockSupport.park(this);
                nap = SHORTEST_NAP_NANOS;
            } else {
                LockSupport.parkNanos(this, nap);
                nap = Math.min(nap + nap / 8, LONGEST_NAP_NANOS);
            }
        }
        dispatcherEnded = true;
        runLateReplies();
    }

    /// Stops the dispatcher and the pools; those who wait for a reply must have been answered. Tasks that wait for
    /// something else, which will not come any more, are interrupted.
    @Override
    public void close() {
        virtual.shutdown();
        try {
            if (!virtual.awaitTermination(CLOSE_GRACE_NANOS, TimeUnit.NANOSECONDS)) {
                virtual.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the next line interrupts the tasks then
        }
        virtual.close();
        blocking.shutdown();
        closed = true;
        LockSupport.unpark(dispatcher);
    }
}
