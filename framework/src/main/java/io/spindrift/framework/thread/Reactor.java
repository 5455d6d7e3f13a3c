package io.spindrift.framework.thread;

import io.spindrift.framework.trace.ProbeOwner;
import io.spindrift.framework.trace.ReactorProbes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/// Runs its threads in turns on one core, and sleeps when they have nothing to do.
///
/// ```
///   messages to the reactor -> turn of each thread -> work done?  yes: again
///                                                     no: look at descriptors; idle for the grace? sleep in epoll
/// ```
/// It spins for a grace period after the last work (a wake costs about 40 us), then asks every thread whether it may
/// sleep and waits for a descriptor, a message or the next timer. The clock is read after each turn that did work, once in
/// a round in which none did, and around each sleep: before one that a timer ends, after every one.
///
/// One reactor is run by one OS thread: a pinned one of [Reactors], or a test's through
/// [io.spindrift.framework.testing.ManualReactor].
public final class Reactor implements ProbeOwner {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int BUSY_DESCRIPTOR_INTERVAL_NANOS = 50_000;
    /// How often it looks at descriptors before it sleeps.
    private static final int LOOKS_A_GRACE = 16;
    private static final long WAKE_EVENT = -1;
    private static final VarHandle SLEEP_STATE;
    /// The reactor whose turn the current OS thread is running, where that is not a [ReactorThread].
    private static final ThreadLocal<Reactor> DRIVEN = new ThreadLocal<>();

    static {
        try {
            SLEEP_STATE = MethodHandles.lookup().findVarHandle(Reactor.class, "sleepState", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Reactors reactors;
    private final int core;
    private final Clock clock;
    private final boolean pollOnly;
    private final long graceNanos;
    /// While it spins: asking epoll takes longer than a turn that finds nothing.
    private final long idleDescriptorInterval;
    private final ReactorProbes probes = new ReactorProbes();
    private final MessageQueue messages = new MessageQueue();
    private final EventSet events = new EventSet();
    private final WakeDescriptor wake = new WakeDescriptor();
    private IoThread[] threads = new IoThread[4];
    private int threadCount;
    private IoThread running;
    private long tick;
    private long lastWork;
    private long lastDescriptors;
    private final OwnerCounter sleptNanos = new OwnerCounter();
    private final OwnerCounter busyNanos = new OwnerCounter();
    private final OwnerCounter idleNanos = new OwnerCounter();
    private final OwnerCounter sleeps = new OwnerCounter();
    private volatile int sleepState = AWAKE;
    private volatile boolean stopping;
    private volatile boolean closed;
    private volatile int osThreadId;

    Reactor(Reactors reactors, int core, Clock clock, boolean pollOnly, long graceNanos) {
        this.reactors = reactors;
        this.core = core;
        this.clock = clock;
        this.pollOnly = pollOnly;
        this.graceNanos = graceNanos;
        this.idleDescriptorInterval = graceNanos / LOOKS_A_GRACE;
        this.tick = clock.nanos();
        this.lastWork = tick;
        events.add(wake.descriptor(), WAKE_EVENT);
    }

    /// The reactor that the calling code runs on, or null.
    static Reactor current() {
        return Thread.currentThread() instanceof ReactorThread thread ? thread.reactor() : DRIVEN.get();
    }

    /// The core it is pinned to.
    @Override
    public int core() {
        return core;
    }

    /// The time of the current turn in nanoseconds. On the reactor.
    public long tick() {
        return tick;
    }

    /// What is traced here. On the reactor.
    @Override
    public ReactorProbes probes() {
        return probes;
    }

    /// The thread whose turn it is, or null between turns. On the reactor.
    IoThread running() {
        return running;
    }

    /// Nanoseconds of turns that did work. Any thread.
    public long busyNanos() {
        return busyNanos.get();
    }

    /// Nanoseconds of turns that found nothing, and asleep. Any thread.
    public long idleNanos() {
        return idleNanos.get() + sleptNanos.get();
    }

    /// How often it slept. Any thread.
    public long sleepCount() {
        return sleeps.get();
    }

    /// Whether it is asleep in epoll. Any thread.
    public boolean asleep() {
        return sleepState == ASLEEP;
    }

    /// The kernel's id of the OS thread that runs it, 0 before it runs.
    public int osThreadId() {
        return osThreadId;
    }

    void osThreadId(int id) {
        osThreadId = id;
    }

    /// Its threads. On the reactor.
    public List<IoThread> threads() {
        return List.of(Arrays.copyOf(threads, threadCount));
    }

    /// Sends `message` to run between turns. Any thread.
    void send(Message message) {
        messages.offer(message);
        wake();
    }

    /// Runs `task` between turns. Any thread; for rare work, as changing a tracepoint's probe.
    public void send(Runnable task) {
        send(new Message() {
            @Override
            protected void run() {
                task.run();
            }
        });
    }

    /// Runs `task` between turns and waits for its end; what it throws is thrown here. On a control thread.
    ///
    /// `IllegalStateException` if the reactor has stopped.
    @Override
    public void run(Runnable task) {
        Reply<Void> reply = reactors.control().newReply();
        send(new Message() {
            @Override
            protected void run() {
                try {
                    task.run();
                    reply.complete(null);
                } catch (RuntimeException | Error e) {
                    reply.fail(e);
                }
            }

            @Override
            protected void rejected() {
                reply.fail(new IllegalStateException(Reactor.this + " has stopped"));
            }
        });
        if (closed) { // pairs with close(): either it sees the message, or this sees that it is closed
            rejectMessages();
        }
        reply.await();
    }

    /// Wakes it if it sleeps. The caller has enqueued what it is to see, with a full fence after it, which pairs with
    /// the one in [#sleep()]: either this sees it asleep, or that sees what was enqueued.
    void wake() {
        if (sleepState == ASLEEP && SLEEP_STATE.compareAndSet(this, ASLEEP, AWAKE)) {
            wake.signal();
        }
    }

    // ---- the loop ---------------------------------------------------------------------------------------------

    /// Runs until [#stop()].
    void loop() {
        while (!stopping) {
            if (poll() == 0 && !pollOnly && tick - lastWork >= graceNanos) {
                sleep();
            }
        }
    }

    /// Makes [#loop()] return. Any thread.
    void stop() {
        stopping = true;
        VarHandle.fullFence(); // pairs with the one in sleep(): it sees the flag, or this sees it asleep
        wake();
    }

    /// One turn of every thread; returns the work done. On the OS thread that runs the reactor.
    public int poll() {
        int work = messages.isEmpty() ? 0 : runMessages();
        for (int i = 0; i < threadCount; i++) {
            work += turn(threads[i]);
        }
        if (work == 0) {
            idled();
        }
        if (tick - lastDescriptors >= (work == 0 ? idleDescriptorInterval : BUSY_DESCRIPTOR_INTERVAL_NANOS)) {
            work += pollDescriptors();
        }
        if (work > 0) {
            lastWork = tick;
        }
        return work;
    }

    /// [#poll()] for an OS thread that is not the reactor's own: a test's.
    public int drive() {
        Reactor before = DRIVEN.get();
        DRIVEN.set(this);
        try {
            return poll();
        } finally {
            DRIVEN.set(before);
        }
    }

    private int turn(IoThread thread) {
        long start = tick;
        running = thread;
        thread.tick = start;
        probes.enterThread(thread.id());
        int work = thread.poll();
        probes.enterThread(0);
        running = null;
        if (work > 0) {
            long end = clock.nanos();
            tick = end;
            thread.busyNanos.add(end - start);
            busyNanos.add(end - start);
        }
        return work;
    }

    /// No thread had work in this round. (In one where some had, the idle ones' moments count as the next busy one's:
    /// a reading of the clock takes longer than their turns.)
    private void idled() {
        long now = clock.nanos();
        long elapsed = now - tick;
        tick = now;
        idleNanos.add(elapsed);
        for (int i = 0; i < threadCount; i++) {
            threads[i].idleNanos.add(elapsed / threadCount);
        }
    }

    private int runMessages() {
        int work = 0;
        for (Message message = messages.poll(); message != null; message = messages.poll()) {
            work++;
            try {
                message.run();
            } catch (Throwable t) {
                reactors.contain(null, "message " + message.getClass().getName(), t);
            }
        }
        return work;
    }

    /// Runs the fd pollers whose descriptors are ready now.
    private int pollDescriptors() {
        lastDescriptors = tick;
        return dispatch(events.pollNow());
    }

    private int dispatch(int ready) {
        int work = 0;
        for (int i = 0; i < ready; i++) {
            long id = events.data(i);
            if (id == WAKE_EVENT) {
                wake.clear();
                work++;
            } else {
                work += turnForDescriptors(id);
            }
        }
        return work;
    }

    private int turnForDescriptors(long id) {
        for (int i = 0; i < threadCount; i++) {
            IoThread thread = threads[i];
            if (thread.id() == id) {
                running = thread;
                thread.tick = tick;
                probes.enterThread(id);
                int work = thread.pollDescriptors();
                probes.enterThread(0);
                running = null;
                return work;
            }
        }
        return 0; // it left between the wait and now
    }

    /// Sleeps until something happens, unless a thread has work outstanding that only polling finds.
    private void sleep() {
        long wakeAt = Long.MAX_VALUE;
        for (int i = 0; i < threadCount; i++) {
            running = threads[i];
            boolean ready = threads[i].readyToSleep();
            running = null;
            if (!ready) {
                return;
            }
            wakeAt = Math.min(wakeAt, threads[i].nextTimer());
        }
        sleepState = ASLEEP;
        VarHandle.fullFence(); // then recheck: a sender enqueues, fences, reads the state
        if (stopping || anyMessages()) {
            sleepState = AWAKE;
            return;
        }
        long start = tick;
        long nanos = wakeAt == Long.MAX_VALUE ? -1 : Math.max(0, wakeAt - clock.nanos());
        sleeps.add(1);
        lastDescriptors = start;
        int ready = events.await(nanos);
        sleepState = AWAKE;
        tick = clock.nanos();
        sleptNanos.add(tick - start);
        if (dispatch(ready) > 0) {
            lastWork = tick;
        }
    }

    private boolean anyMessages() {
        if (!messages.isEmpty()) {
            return true;
        }
        for (int i = 0; i < threadCount; i++) {
            if (threads[i].hasMessages()) {
                return true;
            }
        }
        return false;
    }

    // ---- threads come and go ----------------------------------------------------------------------------------

    /// Takes `thread` over. Any thread.
    void adopt(IoThread thread) {
        send(() -> {
            if (threadCount == threads.length) {
                threads = Arrays.copyOf(threads, threadCount * 2);
            }
            threads[threadCount++] = thread;
            if (thread.eventDescriptor() >= 0) {
                watch(thread);
            }
        });
    }

    /// Hands `thread` to `target` between two turns; if it has left already, its reactor of then does. Any thread.
    void give(IoThread thread, Reactor target) {
        send(() -> {
            if (thread.reactor != this) {
                if (thread.state() != IoThread.State.EXITED) {
                    thread.reactor.give(thread, target);
                }
            } else if (target != this && !thread.bound && remove(thread)) {
                thread.probes = target.probes; // the owner's next turn is after target's message
                thread.reactor = target; // pairs with the read in IoThread.send()
                target.adopt(thread);
            }
        });
    }

    /// Forgets `thread`, which has exited in its turn.
    void drop(IoThread thread) {
        remove(thread); // another thread may miss this turn; it gets the next
    }

    private boolean remove(IoThread thread) {
        for (int i = 0; i < threadCount; i++) {
            if (threads[i] == thread) {
                System.arraycopy(threads, i + 1, threads, i, --threadCount - i);
                threads[threadCount] = null;
                if (thread.eventDescriptor() >= 0) {
                    events.remove(thread.eventDescriptor());
                }
                return true;
            }
        }
        return false;
    }

    /// Nests the thread's epoll descriptor in this reactor's.
    void watch(IoThread thread) {
        events.add(thread.eventDescriptor(), thread.id());
    }

    /// Whether it has ended for good. Any thread.
    boolean closed() {
        return closed;
    }

    /// Frees the descriptors, after the loop has ended.
    void close() {
        closed = true;
        rejectMessages();
        events.close();
        wake.close();
    }

    /// After the loop has ended, when several threads may find late messages.
    private synchronized void rejectMessages() {
        for (Message message = messages.poll(); message != null; message = messages.poll()) {
            message.rejected();
        }
    }

    @Override
    public String toString() {
        return "reactor " + core;
    }
}
