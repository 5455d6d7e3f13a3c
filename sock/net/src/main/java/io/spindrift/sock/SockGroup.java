package io.spindrift.sock;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.sock.spi.SockGroupContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The sockets of one [IoThread], polled together; made by [Sockets#group].
///
/// One poll sends what is queued, receives, offers again what was resumed, sends what that has queued, and ends what was
/// closed, in this order: what others have queued between two polls does not wait for a receive.
/// When nothing happens, its reactor sleeps until a descriptor of the group wakes it.
///
/// Everything on the thread. The `protected` methods are for implementations.
public abstract class SockGroup implements AutoCloseable {
    private static final int LAST_ROUNDS = 16;

    private final SockGroupContext context;
    private final SockQueue flushes = new SockQueue();
    private final SockQueue resumed = new SockQueue();
    private final SockQueue ending = new SockQueue();
    private final BlockPool blocks = new BlockPool();
    private final List<SockListener> listeners = new ArrayList<>();
    private Sock[] socks = new Sock[16];
    private int count;
    private Poller poller;
    private Poller wake;
    private boolean closed;
    private boolean polling;

    protected SockGroup(SockGroupContext context) {
        this.context = context;
    }

    // ---- for users --------------------------------------------------------------------------------------------

    public final IoThread thread() {
        return context.thread();
    }

    /// The name of its implementation.
    public final String implementation() {
        return context.implementation();
    }

    /// The options of its implementation when the group was made.
    public final SockImplOptions options() {
        return context.options();
    }

    /// What it has counted. Any thread.
    public final SockStats stats() {
        return context.stats();
    }

    /// Sockets that have not ended.
    public final int size() {
        assert thread().isCurrent();
        return count;
    }

    /// Makes `connection` a member, whose bytes go to `receiver` from the next poll on.
    ///
    /// @throws io.spindrift.framework.ErrnoException if the kernel refuses; the connection is closed then
    public final Sock add(DetachedSock connection, Receiver receiver) {
        assert thread().isCurrent() && !closed;
        Sock sock = open(connection, receiver);
        if (count == socks.length) {
            socks = Arrays.copyOf(socks, count * 2);
        }
        sock.index = count;
        socks[count++] = sock;
        stats().add(SockCounter.ADDED, 1);
        return sock;
    }

    /// Accepts connections to `address`; port 0 lets the kernel choose one, which [SockListener#address()] names.
    ///
    /// @throws io.spindrift.framework.ErrnoException naming the address, if the kernel refuses
    public final SockListener listen(SockAddress address, SockOptions options, Acceptor acceptor) {
        assert thread().isCurrent() && !closed;
        SockListener listener = SockListener.open(this, context.log(), address, options, acceptor);
        listeners.add(listener);
        return listener;
    }

    /// Ends listeners and connections, then the group. Requests that are queued end with ECANCELED, within this call;
    /// those of which the kernel still holds pages too: their connections are reset, so that it lets go.
    ///
    /// @throws IllegalStateException from within a callback of one of its sockets
    @Override
    public final void close() {
        assert thread().isCurrent();
        if (closed) {
            return;
        }
        if (polling) {
            throw new IllegalStateException("a group cannot be closed by a callback of its sockets: send a message");
        }
        closed = true;
        List.copyOf(listeners).forEach(SockListener::close);
        for (int i = 0; i < count; i++) {
            socks[i].close();
        }
        for (int i = 0; i < LAST_ROUNDS && !ending.isEmpty(); i++) {
            endAll();
        }
        poller.unregister();
        wake.unregister();
        shutDown();
        blocks.close();
        context.closed().run();
    }

    // ---- for implementations ----------------------------------------------------------------------------------

    /// Makes a socket and begins to receive; if it throws, the descriptor is closed.
    protected abstract Sock open(DetachedSock connection, Receiver receiver);

    /// Receives on all sockets, with a bound on the work, and returns how much it was.
    protected abstract int receive();

    /// After all that is queued was flushed: hands it to the kernel, if flushing did not. Returns the work.
    protected abstract int submit();

    /// Whether nothing is outstanding that only polling finds, once the wake descriptor is armed.
    protected abstract boolean readyToSleep();

    /// Readable when there is something to poll for.
    protected abstract int wakeDescriptor();

    /// [#wakeDescriptor()] was readable.
    protected abstract void woken();

    /// All sockets have been released: frees everything.
    protected abstract void shutDown();

    /// Reports an exception of a callback.
    protected final void contain(String what, Throwable cause) {
        thread().reactors().contain(what, cause);
    }

    /// Starts polling. Called once, by [Sockets].
    final void start() {
        wake = thread().addFdPoller("sock_" + implementation() + "_wake", wakeDescriptor(), () -> {
            woken();
            return poll();
        });
        poller = thread().addPoller("sock_" + implementation(), new PollFunction() {
            @Override
            public int poll() {
                return SockGroup.this.poll();
            }

            @Override
            public boolean readyToSleep() {
                return flushes.isEmpty() && resumed.isEmpty() && ending.isEmpty() && SockGroup.this.readyToSleep();
            }
        });
    }

    private int poll() {
        polling = true;
        try {
            return pollAll();
        } finally {
            polling = false;
        }
    }

    private int pollAll() {
        int work = flushes.isEmpty() ? 0 : flushAll();
        work += receive();
        if (!resumed.isEmpty()) {
            work += resumeAll();
        }
        if (!flushes.isEmpty()) {
            work += flushAll();
        }
        work += submit();
        if (!ending.isEmpty()) {
            work += endAll();
        }
        return work;
    }

    private int resumeAll() {
        int work = 0;
        for (int i = resumed.size(); i > 0; i--) {
            work += resumed.take().resumeNow();
        }
        return work;
    }

    private int flushAll() {
        int work = 0;
        for (int i = flushes.size(); i > 0; i--) {
            work += flushes.take().flushNow();
        }
        return work;
    }

    private int endAll() {
        int work = 0;
        for (int i = ending.size(); i > 0; i--) {
            ending.take().endNow();
            work++;
        }
        return work;
    }

    // ---- for sockets and listeners ----------------------------------------------------------------------------

    void queueFlush(Sock sock) {
        flushes.offer(sock);
    }

    void queueResume(Sock sock) {
        resumed.offer(sock);
    }

    void end(Sock sock) {
        ending.offer(sock);
    }

    BlockPool blocks() {
        return blocks;
    }

    /// The socket leaves; the last takes its place.
    void removed(Sock sock) {
        Sock last = socks[--count];
        socks[sock.index] = last;
        last.index = sock.index;
        socks[count] = null;
        stats().add(SockCounter.REMOVED, 1);
    }

    void removed(SockListener listener) {
        listeners.remove(listener);
    }
}
