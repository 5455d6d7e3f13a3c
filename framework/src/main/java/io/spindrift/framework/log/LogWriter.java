package io.spindrift.framework.log;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// The queue between callers and output, and the one thread that empties it.
///
/// [#offer] never blocks: beyond [#CAPACITY] waiting lines it drops and counts, and the writer says how many.
final class LogWriter {
    static final int CAPACITY = 65_536;

    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final Consumer<LogLine> output;
    private final LongConsumer reportDropped;
    private final Runnable flush;
    private final Thread thread;
    private volatile boolean asleep;
    private volatile boolean closing;
    private volatile boolean ended;

    /// `output` takes each line, `reportDropped` a count of lost ones, `flush` follows when the queue is empty.
    LogWriter(String name, Consumer<LogLine> output, LongConsumer reportDropped, Runnable flush) {
        this.output = output;
        this.reportDropped = reportDropped;
        this.flush = flush;
        this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    /// Enqueues `line`. Any thread.
    void offer(LogLine line) {
        if (waiting.incrementAndGet() > CAPACITY) {
            waiting.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        enqueue(() -> {
            waiting.decrementAndGet();
            output.accept(line);
        });
    }

    private void enqueue(Runnable entry) {
        queue.add(entry);
        if (ended) {
            drain();
        } else if (asleep) { // volatile: pairs with the recheck after `asleep = true` in run()
            LockSupport.unpark(thread);
        }
    }

    /// Returns when everything offered before has been written. Not on a reactor.
    void flush() throws InterruptedException {
        CountDownLatch written = new CountDownLatch(1);
        enqueue(() -> {
            flush.run();
            written.countDown();
        });
        written.await();
    }

    /// Writes what is waiting and ends the thread; later lines are written by their callers.
    void close() {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        drain();
    }

    private void run() {
        while (!closing) {
            drain();
            asleep = true;
            if (queue.isEmpty() && !closing) {
                LockSupport.park(this);
            }
            asleep = false;
        }
        ended = true;
        drain();
    }

    private synchronized void drain() {
        boolean any = false;
        for (Runnable entry = queue.poll(); entry != null; entry = queue.poll()) {
            entry.run();
            any = true;
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            reportDropped.accept(lost);
        }
        if (any || lost > 0) {
            flush.run();
        }
    }
}
