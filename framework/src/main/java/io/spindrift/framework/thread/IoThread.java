package io.spindrift.framework.thread;

import io.spindrift.framework.trace.ReactorProbes;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/// A lightweight thread: a message queue, pollers and channels, run by one reactor at a time.
///
/// What it owns is touched by its own code only; everyone else sends it messages. Methods say where they may be
/// called; those "on the owner" start with an assertion.
///
/// It ends in two steps: after [#exit()] it goes on until it has no message, poller, channel or walk left,
/// or until its time limit, when it is forced and the holders are named in a log line.
public final class IoThread {
    private static final int MESSAGE_BATCH = 32;
    static final long DEFAULT_EXIT_LIMIT_NANOS = 5_000_000_000L;

    /// Where a thread is in its life.
    public enum State {
        RUNNING, EXITING, EXITED
    }

    /// Work for the owner that returns a value, or throws what the caller gets thrown.
    @FunctionalInterface
    public interface Call<T, X extends Exception> {
        T run() throws X;
    }

    /// Work for the owner that ends later, by an answer to the reply.
    @FunctionalInterface
    public interface AsyncCall<T> {
        void start(Reply<T> reply) throws Exception;
    }

    private final Reactors reactors;
    private final String name;
    private final long id;
    private final int slot;
    private final MessageQueue messages = new MessageQueue();
    private final Map<IoDevice<?>, IoChannel> channels = new IdentityHashMap<>();
    private final PollerSet pollers = new PollerSet(this);
    private volatile CpuMask mask;
    /// Read by its reactor as it gives threads away, and by who wants to know.
    volatile boolean bound;
    private volatile State state = State.RUNNING;

    /// Written by the reactor that gives the thread away, read by senders; see [#send(Message)].
    volatile Reactor reactor;
    /// The time of this turn, set by the reactor before each.
    long tick;
    /// Counted by the reactor that runs it.
    final OwnerCounter busyNanos = new OwnerCounter();
    final OwnerCounter idleNanos = new OwnerCounter();
    /// The reactor's, changed only while no reactor runs the thread.
    ReactorProbes probes;
    private final long startNanos;
    private int walks;
    private long exitDeadline;
    private long exitLimitNanos = DEFAULT_EXIT_LIMIT_NANOS;

    IoThread(Reactors reactors, String name, long id, int slot, CpuMask mask, Reactor reactor) {
        this.reactors = reactors;
        this.name = name;
        this.id = id;
        this.slot = slot;
        this.mask = mask;
        this.reactor = reactor;
        this.tick = reactor.tick();
        this.startNanos = tick;
        this.probes = reactor.probes();
    }

    /// The thread whose code is running, or null outside of all.
    public static IoThread current() {
        Reactor reactor = Reactor.current();
        return reactor == null ? null : reactor.running();
    }

    public String name() {
        return name;
    }

    /// Unique among the threads of its [Reactors], from 1.
    public long id() {
        return id;
    }

    /// A small number that no other living thread has, for per-thread counters in arrays.
    public int slot() {
        return slot;
    }

    public State state() {
        return state;
    }

    /// The cores it may run on.
    public CpuMask cpuMask() {
        return mask;
    }

    /// Where it runs now. Exact on the owner, a hint elsewhere.
    public Reactor reactor() {
        return reactor;
    }

    public Reactors reactors() {
        return reactors;
    }

    /// Whether the calling code runs on this thread.
    public boolean isCurrent() {
        return current() == this;
    }

    /// The time of this turn in nanoseconds: the data path's clock. On the owner.
    public long now() {
        return tick;
    }

    /// The tracepoints' probes where it runs now. On the owner.
    public ReactorProbes probes() {
        return probes;
    }

    /// When it was made, on the clock of [#now()].
    public long startNanos() {
        return startNanos;
    }

    /// Nanoseconds spent in turns that did work. Any thread.
    public long busyNanos() {
        return busyNanos.get();
    }

    /// Nanoseconds spent in turns that found nothing. Any thread.
    public long idleNanos() {
        return idleNanos.get();
    }

    // ---- messages ---------------------------------------------------------------------------------------------

    /// Sends `message` to run on this thread, in order with the sender's others. Any thread; never blocks, allocates
    /// nothing. False if the thread has exited; if it exits later, [Message#rejected()] is called.
    public boolean send(Message message) {
        if (state == State.EXITED) {
            return false;
        }
        messages.offer(message);
        // The offer's exchange orders it before these reads. A reader that still sees the reactor that gave this
        // thread away wakes it for nothing; the new one looks at the queue when it takes the thread over.
        reactor.wake();
        if (state == State.EXITED) {
            rejectAll();
        }
        return true;
    }

    /// As [#send(Message)], for code off the data path: allocates the message.
    public boolean send(Runnable task) {
        return send(new Message() {
            @Override
            protected void run() {
                task.run();
            }
        });
    }

    /// Runs `call` on this thread and waits for its result. From control threads only; an exception that it throws
    /// is thrown here, and [IllegalStateException] if the thread has exited.
    public <T, X extends Exception> T call(Call<T, X> call) throws X {
        return this.<T, X>callReply(reply -> reply.complete(call.run()));
    }

    /// As [#call(Call)], for work that ends later: `call` must see to it that the reply is answered.
    public <T> T callAsync(AsyncCall<T> call) {
        return this.<T, RuntimeException>callReply(call);
    }

    /// Runs `task` on this thread and waits for its end.
    public void run(Runnable task) {
        call(() -> {
            task.run();
            return null;
        });
    }

    /// As [#run(Runnable)], but a thread that has exited is passed over: returns whether the task ran.
    public boolean callIfAlive(Runnable task) {
        return callAsync(reply -> {
            task.run();
            reply.complete(true);
        }, false);
    }

    private <T, X extends Throwable> T callReply(AsyncCall<T> call) throws X {
        Reply<T> reply = reactors.control().newReply();
        CallMessage<T> message = new CallMessage<>(call, reply,
                () -> reply.fail(new IllegalStateException("thread " + name + " has exited")));
        if (!send(message)) {
            message.rejected();
        }
        return reply.await();
    }

    private <T> T callAsync(AsyncCall<T> call, T ifExited) {
        Reply<T> reply = reactors.control().newReply();
        CallMessage<T> message = new CallMessage<>(call, reply, () -> reply.complete(ifExited));
        if (!send(message)) {
            message.rejected();
        }
        return reply.<RuntimeException>await();
    }

    private static final class CallMessage<T> extends Message {
        private final AsyncCall<T> call;
        private final Reply<T> reply;
        private final Runnable ifExited;

        CallMessage(AsyncCall<T> call, Reply<T> reply, Runnable ifExited) {
            this.call = call;
            this.reply = reply;
            this.ifExited = ifExited;
        }

        @Override
        protected void run() {
            try {
                call.start(reply);
            } catch (Throwable t) {
                reply.fail(t); // the caller's to handle: it is thrown there
            }
        }

        @Override
        protected void rejected() {
            ifExited.run();
        }
    }

    boolean hasMessages() {
        return !messages.isEmpty();
    }

    // ---- pollers ----------------------------------------------------------------------------------------------

    /// Runs `function` in every turn of this thread. On the owner.
    public Poller addPoller(String pollerName, PollFunction function) {
        assert isCurrent();
        return pollers.addActive(pollerName, function);
    }

    /// Runs `function` every `periodNanos`, which also wakes a sleeping reactor. On the owner.
    public Poller addTimedPoller(String pollerName, IntSupplier function, long periodNanos) {
        assert isCurrent();
        return pollers.addTimed(pollerName, function, periodNanos);
    }

    /// Runs `function` whenever `fd` is readable (level-triggered), which also wakes a sleeping reactor. On the owner.
    public Poller addFdPoller(String pollerName, int fd, IntSupplier function) {
        assert isCurrent();
        return pollers.addFd(pollerName, fd, function);
    }

    /// The pollers of one kind that are not paused. On the owner.
    public List<Poller> pollers(Poller.Kind kind) {
        assert isCurrent();
        return pollers.waiting(kind);
    }

    /// The pollers that are paused, longest first. On the owner.
    public List<Poller> pausedPollers() {
        assert isCurrent();
        return pollers.paused();
    }

    // ---- channels ---------------------------------------------------------------------------------------------

    /// This thread's channel of `device`, or null. On the owner.
    IoChannel channelOf(IoDevice<?> device) {
        return channels.get(device);
    }

    void remember(IoChannel channel) {
        channels.put(channel.device(), channel);
    }

    void forget(IoChannel channel) {
        channels.remove(channel.device());
    }

    /// The channels that exist. On the owner.
    public List<IoChannel> channels() {
        assert isCurrent();
        return List.copyOf(channels.values());
    }

    void forEachStarted() {
        walks++;
    }

    void forEachEnded() {
        walks--;
    }

    // ---- a turn -----------------------------------------------------------------------------------------------

    /// One turn: messages, active pollers, timers that are due. Returns the work done. On the reactor.
    int poll() {
        int work = runMessages() + pollers.run();
        if (state == State.EXITING) {
            tryExit();
        }
        return work;
    }

    private int runMessages() {
        int count = 0;
        while (count < MESSAGE_BATCH) {
            Message message = messages.poll();
            if (message == null) {
                break;
            }
            count++;
            try {
                message.run();
            } catch (Throwable t) {
                reactors.contain(this, "message " + message.getClass().getName(), t);
            }
        }
        return count;
    }

    /// Runs the fd pollers whose descriptors are ready. On the reactor.
    int pollDescriptors() {
        return pollers.runReady();
    }

    /// Whether nothing keeps the reactor from sleeping, as far as this thread goes. On the reactor.
    boolean readyToSleep() {
        return pollers.readyToSleep() && state == State.RUNNING && !hasMessages();
    }

    /// When the next timer is due, or `Long.MAX_VALUE`.
    long nextTimer() {
        return pollers.nextTimer();
    }

    /// The epoll descriptor that the reactor nests in its own, or -1.
    int eventDescriptor() {
        return pollers.eventDescriptor();
    }

    // ---- moving and ending ------------------------------------------------------------------------------------

    /// Keeps the thread where it runs, for good: what it owns belongs to the reactor's OS thread. On the owner.
    public void bind() {
        assert isCurrent();
        mask = CpuMask.of(reactor.core());
        bound = true;
    }

    /// Lets the thread run on the cores of `cores` only; moves it at once if it runs elsewhere. Any thread.
    /// [IllegalArgumentException] if no reactor runs on any of them, or if it is bound to another core.
    public void cpuMask(CpuMask cores) {
        if (bound) {
            if (!cores.contains(reactor.core())) {
                throw new IllegalArgumentException("thread " + name + " is bound to core " + reactor.core());
            }
            return;
        }
        Reactor target = reactors.leastLoaded(cores);
        mask = cores;
        if (!cores.contains(reactor.core())) {
            moveTo(target);
        }
    }

    /// Moves the thread to `target`, between two turns, unless it is bound. Any thread; later moves win.
    public void moveTo(Reactor target) {
        reactor.give(this, target);
    }

    /// Begins to end the thread, with the default time limit. On the owner.
    public void exit() {
        exit(DEFAULT_EXIT_LIMIT_NANOS);
    }

    /// Begins to end the thread; after `limitNanos` it is forced. On the owner.
    public void exit(long limitNanos) {
        assert isCurrent();
        if (state == State.RUNNING) {
            exitLimitNanos = limitNanos;
            exitDeadline = tick + limitNanos;
            state = State.EXITING;
        }
    }

    private void tryExit() {
        String holder = holder();
        if (holder == null || exitDeadline - tick <= 0) {
            if (holder != null) {
                reactors.report("thread " + name + " did not end within " + exitLimitNanos / 1_000_000
                        + " ms and is forced; it still holds " + holder);
            }
            state = State.EXITED; // pairs with the second read in send()
            reactor.drop(this);
            rejectAll();
            pollers.close();
            reactors.exited(this);
        }
    }

    /// What keeps the thread from exiting, or null.
    private String holder() {
        if (hasMessages()) {
            return "messages";
        }
        String poller = pollers.any();
        if (poller != null) {
            return poller;
        }
        if (!channels.isEmpty()) {
            return "a channel of " + channels.keySet().iterator().next().name();
        }
        if (walks > 0) {
            return "a walk over channels";
        }
        return null;
    }

    /// Rejects what is still queued; by the owner as it exits, and by senders that came too late.
    private synchronized void rejectAll() {
        for (Message message = messages.poll(); message != null; message = messages.poll()) {
            try {
                message.rejected();
            } catch (Throwable t) {
                reactors.contain(this, "rejection of " + message.getClass().getName(), t);
            }
        }
    }

    /// Its reactor has ended, and with it this thread: what is queued, and what comes, is rejected.
    void abandon() {
        state = State.EXITED; // pairs with the second read in send()
        rejectAll();
    }

    @Override
    public String toString() {
        return name;
    }
}
