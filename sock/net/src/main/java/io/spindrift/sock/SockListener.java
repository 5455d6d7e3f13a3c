package io.spindrift.sock;

import io.spindrift.framework.Errno;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.sock.internal.ffi.SocketCalls;

/// Accepts connections to one address, as soon as its thread sees them; made by [SockGroup#listen].
///
/// Everything on the group's thread. When there are too many open files, or no memory, it pauses for a moment at a time,
/// which the log says once; peers wait in the backlog.
public final class SockListener implements AutoCloseable {
    private static final int BATCH = 16;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final int ACCEPT_FLAGS = SocketCalls.SOCK_NONBLOCK | SocketCalls.SOCK_CLOEXEC;

    private final SockGroup group;
    private final Log log;
    private final SockOptions options;
    private final Acceptor acceptor;
    private final int descriptor;
    private final SockAddress address;
    private Poller poller;
    private Poller retry;
    private boolean shortOfResources;
    private boolean closed;

    private SockListener(SockGroup group, Log log, SockOptions options, Acceptor acceptor, int descriptor,
            SockAddress address) {
        this.group = group;
        this.log = log;
        this.options = options;
        this.acceptor = acceptor;
        this.descriptor = descriptor;
        this.address = address;
    }

    /// Throws [io.spindrift.framework.ErrnoException] naming `address`.
    static SockListener open(SockGroup group, Log log, SockAddress address, SockOptions options, Acceptor acceptor) {
        int descriptor = SocketSetUp.listen(address, options, group.options());
        try {
            SockListener listener = new SockListener(group, log, options, acceptor, descriptor,
                    SocketSetUp.localAddress(descriptor));
            IoThread thread = group.thread();
            listener.poller = thread.addFdPoller("sock_accept", descriptor, listener::accept);
            return listener;
        } catch (RuntimeException e) {
            SocketCalls.close(descriptor);
            throw e;
        }
    }

    /// Where it listens, with the port that the kernel chose if it was asked to.
    public SockAddress address() {
        return address;
    }

    private int accept() {
        int accepted = 0;
        while (accepted < BATCH && !closed) {
            int rc = SocketCalls.accept4(descriptor, ACCEPT_FLAGS);
            if (rc >= 0) {
                accepted++;
                shortOfResources = false;
                hand(rc);
            } else if (!goOnAfter(-rc)) {
                break;
            }
        }
        return accepted;
    }

    /// Whether to try the next connection: the errors of accept(2) are mostly those of a connection that is gone.
    private boolean goOnAfter(int errno) {
        switch (errno) {
            case Errno.EAGAIN -> {
                return false;
            }
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM -> {
                pause(errno);
                return false;
            }
            default -> {
                return errno != Errno.EBADF && errno != Errno.EINVAL;
            }
        }
    }

    private void pause(int errno) {
        if (!shortOfResources) {
            shortOfResources = true;
            log.warn("listener %s accepts no connection for now: %s", address, Errno.text(errno));
        }
        poller.pause();
        if (retry == null) {
            retry = group.thread().addTimedPoller("sock_accept_retry", this::goOn, PAUSE_NANOS);
        } else {
            retry.resume();
        }
    }

    private int goOn() {
        retry.pause();
        poller.resume();
        return 1;
    }

    private void hand(int connection) {
        SocketSetUp.apply(connection, options, group.options());
        DetachedSock sock = DetachedSock.of(connection, true, options);
        if (sock == null) {
            return; // reset before it was accepted
        }
        try {
            acceptor.accepted(sock);
        } catch (Throwable t) {
            sock.close();
            group.contain("acceptor of " + address, t);
        }
    }

    /// Accepts no more; what was accepted stays. Does nothing the second time.
    @Override
    public void close() {
        assert group.thread().isCurrent();
        if (closed) {
            return;
        }
        closed = true;
        poller.unregister();
        if (retry != null) {
            retry.unregister();
        }
        SocketCalls.close(descriptor);
        group.removed(this);
    }
}
