package io.spindrift.sock;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.thread.Control;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Connects on the control path: looks the host up, then tries its addresses one after the other until one answers or the
/// time is over.
final class Connecting {
    /// A wait holds a thread of the pool for blocking calls; others get their turn in between.
    private static final long SLICE_MILLIS = 50;

    private final Control control;
    private final SockOptions options;
    private final SockImplOptions implOptions;
    private final long deadline;
    private final long timeoutNanos;

    Connecting(Control control, SockOptions options, SockImplOptions implOptions, long timeoutNanos) {
        this.control = control;
        this.options = options;
        this.implOptions = implOptions;
        this.timeoutNanos = timeoutNanos;
        this.deadline = System.nanoTime() + timeoutNanos;
    }

    /// Throws [ErrnoException] naming the address that was tried last.
    DetachedSock to(String host, int port) throws Exception {
        ErrnoException last = null;
        for (InetAddress ip : lookUp(host)) {
            try {
                return to(new SockAddress(ip, port));
            } catch (ErrnoException e) {
                last = e;
            }
        }
        throw last == null ? new ErrnoException(Errno.EADDRNOTAVAIL, "host " + host + " has no address") : last;
    }

    private List<InetAddress> lookUp(String host) throws Exception {
        return control.blocking(() -> {
            try {
                return List.of(InetAddress.getAllByName(host));
            } catch (UnknownHostException e) {
                throw new ErrnoException(Errno.EADDRNOTAVAIL, "host " + host + " is not known");
            }
        });
    }

    private DetachedSock to(SockAddress address) throws Exception {
        int fd = SocketSetUp.connect(address, options, implOptions);
        boolean connected = false;
        try {
            awaitConnected(fd, address);
            connected = true;
        } finally {
            if (!connected) {
                SocketCalls.close(fd);
            }
        }
        DetachedSock sock = DetachedSock.of(fd, false, options);
        if (sock == null) {
            throw new ErrnoException("connect to " + address, Errno.ECONNRESET);
        }
        return sock;
    }

    private void awaitConnected(int fd, SockAddress address) throws Exception {
        int ready = 0;
        while (ready == 0) {
            long leftMillis = (deadline - System.nanoTime() + 999_999) / 1_000_000;
            if (leftMillis <= 0) {
                throw new ErrnoException(Errno.ETIMEDOUT,
                        "connect to " + address + ": no answer within " + timeoutNanos / 1_000_000 + " ms");
            }
            int slice = (int) Math.min(leftMillis, SLICE_MILLIS);
            ready = control.blocking(() -> SocketCalls.poll(fd, SocketCalls.POLLOUT, slice));
            ready = ready == -Errno.EINTR ? 0 : ready;
        }
        Errno.check("poll of a connection to " + address, ready);
        int error = SocketCalls.getsockopt(fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_ERROR);
        if (error != 0) {
            throw new ErrnoException("connect to " + address, Math.abs(error));
        }
    }
}
