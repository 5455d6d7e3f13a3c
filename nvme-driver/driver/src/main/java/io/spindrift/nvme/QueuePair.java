package io.spindrift.nvme;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spi.TransportQueuePair;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A submission queue and its completion queue, of one [IoThread]: where commands go and come back.
///
/// ```
///   DOWN --connect--> CONNECTING --> UP --failure, reset, disconnect--> DOWN --> ...
/// ```
/// Everything on its thread, but for the names. It lives through resets of its controller: with it its requests, which
/// belong to whoever acquired them. Nothing here blocks, allocates or throws for what a controller does.
public final class QueuePair {
    enum State {
        DOWN, CONNECTING, UP
    }

    /// As many as there are command identifiers, but for the last, which stands for none (base specification 2.0, 5.16.1.2).
    private static final int MOST_REQUESTS = 0xffff;
    private static final int NO_CID = 0xffff;
    private static final long LONGEST_TIMEOUT_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NvmeController controller;
    private final IoThread thread;
    private final int qid;
    private final QueuePairListener listener;
    private final TransportQueuePair transport;
    private final NvmeRequest[] requests;
    /// More than any request's number, a power of two: a command identifier's bits below are that number.
    private final int cidStep;
    private final int depth;
    private State state = State.DOWN;
    private NvmeRequest free;
    private NvmeRequest firstWaiting;
    private NvmeRequest lastWaiting;
    private int outstanding;
    private long setUpLimitNanos;
    private long commandLimitNanos;
    private Poller timeouts;
    private String failure = "";
    private boolean closed;

    /// On the control path. It takes `depth` commands at a time.
    QueuePair(NvmeController controller, IoThread thread, int qid, int depth, int requestCount,
            QueuePairListener listener) {
        this.controller = controller;
        this.thread = thread;
        this.qid = qid;
        this.depth = depth;
        this.listener = listener;
        Check.range("requests of a queue pair", requestCount, 1, MOST_REQUESTS);
        int count = Math.max(depth, requestCount);
        this.cidStep = Integer.highestOneBit(Math.max(1, count - 1)) << 1;
        this.requests = new NvmeRequest[count];
        this.transport = controller.transport().newQueuePair(this, count);
        for (int i = count - 1; i >= 0; i--) {
            NvmeRequest request = new NvmeRequest(this, i, transport.commands(), transport.commandAt(i));
            requests[i] = request;
            request.next = free;
            free = request;
        }
    }

    // ---- names ------------------------------------------------------------------------------------------------

    public NvmeController controller() {
        return controller;
    }

    public IoThread thread() {
        return thread;
    }

    /// 0 for the admin queue.
    public int qid() {
        return qid;
    }

    /// How many commands the controller may have of it at a time; more wait here.
    public int depth() {
        return depth;
    }

    /// How many requests it has.
    public int requestCount() {
        return requests.length;
    }

    /// Whether a command may have metadata in a buffer of their own.
    public boolean separateMetadata() {
        return transport.separateMetadata();
    }

    String commandName(int opcode) {
        return qid == 0 ? AdminOpcode.name(opcode) : NvmOpcode.name(opcode);
    }

    // ---- for its owner ----------------------------------------------------------------------------------------

    /// Whether it takes commands.
    public boolean connected() {
        return state == State.UP;
    }

    /// Commands that were submitted and have not ended.
    public int outstanding() {
        return outstanding;
    }

    /// A request, the caller's until it is released; null if all are in use, or the queue pair has been disconnected for good.
    public NvmeRequest acquire() {
        assert thread.isCurrent();
        NvmeRequest request = free;
        if (request != null) {
            free = request.next;
            request.next = null;
            request.state = NvmeRequest.OWNED;
        }
        return request;
    }

    void release(NvmeRequest request) {
        if (request.state != NvmeRequest.OWNED) {
            throw new IllegalStateException("request " + request.index() + " of " + this
                    + (request.state == NvmeRequest.FREE ? " is released twice" : " is released before it has ended"));
        }
        request.state = NvmeRequest.FREE;
        request.context(null);
        if (!closed) {
            request.next = free;
            free = request;
        }
    }

    boolean submit(NvmeRequest request) {
        if (state != State.UP) {
            return false;
        }
        start(request);
        return true;
    }

    /// As a submit, for the commands that set it up.
    boolean submitSetUp(NvmeRequest request, NvmeCompletion whenCompleted) {
        request.completion = whenCompleted;
        if (state == State.DOWN) {
            return false;
        }
        start(request);
        return true;
    }

    private void start(NvmeRequest request) {
        if (request.state != NvmeRequest.OWNED) {
            throw new IllegalStateException(
                    "request " + request.index() + " of " + this + " is in use or was released");
        }
        if (outstanding >= depth) {
            enqueue(request);
        } else {
            hand(request);
        }
    }

    private void hand(NvmeRequest request) {
        outstanding++;
        int cid = request.cid() + cidStep & 0xffff;
        request.begins(cid == NO_CID ? request.index() : cid, thread.now());
        transport.submit(request);
    }

    private void enqueue(NvmeRequest request) {
        request.state = NvmeRequest.WAITING;
        request.submitTick = thread.now();
        request.next = null;
        if (firstWaiting == null) {
            firstWaiting = request;
        } else {
            lastWaiting.next = request;
        }
        lastWaiting = request;
    }

    private NvmeRequest takeWaiting() {
        NvmeRequest request = firstWaiting;
        firstWaiting = request.next;
        request.next = null;
        return request;
    }

    // ---- for control threads ----------------------------------------------------------------------------------

    /// Runs one command, which `build` makes of a request, on the queue pair's thread, and waits for its end. On the control
    /// path.
    ///
    /// @throws NvmeException ENOTCONN if it is down, EAGAIN if all of its requests are in use
    public CommandResult execute(Consumer<NvmeRequest> build) {
        return execute(build, false);
    }

    /// As the other, for the commands that set it up.
    CommandResult executeSetUp(Consumer<NvmeRequest> build) {
        return execute(build, true);
    }

    private CommandResult execute(Consumer<NvmeRequest> build, boolean setUp) {
        try {
            return onExecute(build, setUp);
        } catch (IllegalStateException e) {
            if (thread.state() == IoThread.State.EXITED) {
                throw new NvmeException(Errno.ENOTCONN, "the thread of the " + this + " has exited", e);
            }
            throw e;
        }
    }

    private CommandResult onExecute(Consumer<NvmeRequest> build, boolean setUp) {
        return thread.callAsync(reply -> {
            NvmeRequest request = acquire();
            if (request == null) {
                throw new NvmeException(Errno.EAGAIN, "all " + requests.length + " requests of the " + this
                        + " are in use");
            }
            try {
                build.accept(request);
            } catch (RuntimeException e) {
                request.release();
                throw e;
            }
            NvmeCompletion answer = ended -> {
                CommandResult result = new CommandResult(ended.status(), ended.result(), ended.transferred());
                ended.release();
                if (state == State.DOWN && ended.status() == GenericStatus.ABORTED_SQ_DELETION) {
                    reply.fail(new NvmeException(Errno.ECONNRESET, "the " + this + " has failed: " + failure));
                } else {
                    reply.complete(result);
                }
            };
            if (!(setUp ? submitSetUp(request, answer) : request.submit(answer))) {
                request.release();
                throw new NvmeException(Errno.ENOTCONN, "the " + this + " is not connected"
                        + (failure.isEmpty() ? "" : ": " + failure));
            }
        });
    }

    // ---- for its transport ------------------------------------------------------------------------------------

    /// The request that the controller has under this command identifier, or null: then the controller made it up.
    public NvmeRequest outstanding(int cid) {
        int index = cid & cidStep - 1;
        NvmeRequest request = index < requests.length ? requests[index] : null;
        return request != null && request.state == NvmeRequest.OUTSTANDING && request.cid == cid ? request : null;
    }

    /// Request `index`, whether the controller has it or not.
    public NvmeRequest request(int index) {
        return requests[index];
    }

    /// The controller has `request`.
    public boolean outstanding(NvmeRequest request) {
        return request.state == NvmeRequest.OUTSTANDING;
    }

    /// The command has ended: nobody touches its data any more.
    public void complete(NvmeRequest request, int status, long result, long transferred) {
        outstanding--;
        request.state = NvmeRequest.OWNED;
        request.outcome(status, result, transferred);
        if (firstWaiting != null && state != State.DOWN && outstanding < depth) {
            hand(takeWaiting());
        }
        request.completion.completed(request);
    }

    /// It is of no more use, for the reason in words: takes no commands from now on, and has the controller told. The
    /// transport then completes those that it had by [#abort], once it has let go of them. Does nothing if it is down.
    public void failed(String reason) {
        if (state == State.DOWN) {
            failure = reason; // of a connection that nobody has used yet
            return;
        }
        boolean wasUp = state == State.UP;
        goDown(reason);
        if (wasUp) {
            controller.queuePairFailed(this, reason);
        }
    }

    /// Ends a command that the controller will not end: it may or may not have been executed.
    public void abort(NvmeRequest request) {
        complete(request, GenericStatus.ABORTED_SQ_DELETION, 0, 0);
    }

    // ---- for its controller -----------------------------------------------------------------------------------

    TransportQueuePair transport() {
        return transport;
    }

    /// Why it went down last.
    String failure() {
        return failure;
    }

    boolean down() {
        return state == State.DOWN;
    }

    /// Connects its transport, which then takes the commands that set the queue pair up; one that takes longer than
    /// `limitMillis` has failed. Later commands have `commandMillis`, 0 for as long as they take. On the control path.
    void connect(long limitMillis, long commandMillis) throws Exception {
        transport.connect(limitMillis);
        thread.run(() -> onConnecting(limitMillis * 1_000_000, commandMillis * 1_000_000));
    }

    private void onConnecting(long limitNanos, long ioLimitNanos) {
        assert thread.isCurrent();
        if (!transport.connected()) {
            throw new NvmeException(Errno.ECONNRESET, "the " + this + " has failed: " + failure);
        }
        state = State.CONNECTING;
        failure = "";
        setUpLimitNanos = limitNanos;
        commandLimitNanos = ioLimitNanos;
        if (timeouts == null) {
            timeouts = thread.addTimedPoller("nvme_timeouts", this::checkTimeouts, timeoutPeriod());
        }
    }

    private long timeoutPeriod() {
        long shortest = commandLimitNanos > 0 ? Math.min(commandLimitNanos, setUpLimitNanos) : setUpLimitNanos;
        return Math.clamp(shortest / 8, 1_000_000, LONGEST_TIMEOUT_CHECK_NANOS);
    }

    /// It is set up: it takes its owner's commands. On the control path.
    ///
    /// @throws NvmeException ECONNRESET if it has failed meanwhile
    void up() {
        thread.run(this::onUp);
    }

    private void onUp() {
        assert thread.isCurrent();
        if (state == State.DOWN) {
            throw new NvmeException(Errno.ECONNRESET, "the " + this + " has failed: " + failure);
        }
        if (state == State.CONNECTING) {
            state = State.UP;
            if (commandLimitNanos == 0) {
                stopTimeouts();
            }
            listener.connected(this);
        }
    }

    /// Goes down, and waits until everything that it had is aborted. On the control path.
    void disconnect(String reason) {
        thread.callIfAlive(() -> goDown(reason));
        transport.disconnect();
    }

    /// [#disconnect], for good: frees the memory of its commands. On the control path.
    void close(String reason) {
        try {
            disconnect(reason);
            thread.callIfAlive(this::onClosed);
        } finally {
            transport.close();
        }
    }

    private void onClosed() {
        assert thread.isCurrent();
        closed = true;
        free = null;
    }

    /// Takes no commands any more. What the transport has is its own to abort.
    void goDown(String reason) {
        assert thread.isCurrent();
        if (state == State.DOWN) {
            return;
        }
        boolean wasUp = state == State.UP;
        state = State.DOWN;
        failure = reason;
        stopTimeouts();
        if (wasUp) {
            listener.disconnected(this, reason);
        }
        while (firstWaiting != null) {
            outstanding++; // complete() takes it back
            abort(takeWaiting());
        }
    }

    private void stopTimeouts() {
        if (timeouts != null) {
            timeouts.unregister();
            timeouts = null;
        }
    }

    /// Looks through all requests now and then: the data path keeps no list for it.
    private int checkTimeouts() {
        boolean settingUp = state == State.CONNECTING;
        long limit = settingUp ? setUpLimitNanos : commandLimitNanos;
        if (limit == 0 || outstanding == 0) {
            return 0;
        }
        long now = thread.now();
        for (NvmeRequest request : requests) {
            if (request.state == NvmeRequest.OUTSTANDING && now - request.submitTick >= limit
                    && request.toldTick != request.submitTick && !controller.mayTakeForEver(request)) {
                request.toldTick = request.submitTick;
                controller.timedOut(request, now - request.submitTick, settingUp);
            }
        }
        return 0;
    }

    /// `admin queue of NAME`, `I/O queue 3 of NAME`.
    @Override
    public String toString() {
        return (qid == 0 ? "admin queue" : "I/O queue " + qid) + " of " + controller.name();
    }
}
