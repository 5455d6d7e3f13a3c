package io.spindrift.sock;

import io.spindrift.framework.Check;

/// What the owner of a listener or connection chooses for it; what all sockets of an implementation share is in
/// [SockImplOptions].
///
/// @param priority SO_PRIORITY: the queue that packets leave by; above 6 the kernel asks for CAP_NET_ADMIN
/// @param ackTimeoutMillis TCP_USER_TIMEOUT: a connection whose data is not acknowledged for so long ends; 0 leaves it to
///        the kernel
/// @param backlog connections that may wait to be accepted, at least 1; the kernel cuts it to net.core.somaxconn
/// @param noDelay TCP_NODELAY
/// @param reuseAddress SO_REUSEADDR of a listener: a port may be listened on again while old connections linger
/// @param forceZeroCopy zero copy on loopback too, where the kernel copies all the same: for tests
public record SockOptions(int priority, int ackTimeoutMillis, int backlog, boolean noDelay, boolean reuseAddress,
        boolean forceZeroCopy) {
    public static final SockOptions DEFAULT = new SockOptions(0, 0, 512, true, true, false);

    public SockOptions {
        Check.range("sock_priority", priority, 0, Integer.MAX_VALUE);
        Check.range("ack_timeout", ackTimeoutMillis, 0, Integer.MAX_VALUE);
        Check.range("acceptor_backlog", backlog, 1, 65535);
    }

    public SockOptions withPriority(int newPriority) {
        return new SockOptions(newPriority, ackTimeoutMillis, backlog, noDelay, reuseAddress, forceZeroCopy);
    }

    public SockOptions withAckTimeoutMillis(int millis) {
        return new SockOptions(priority, millis, backlog, noDelay, reuseAddress, forceZeroCopy);
    }

    public SockOptions withBacklog(int newBacklog) {
        return new SockOptions(priority, ackTimeoutMillis, newBacklog, noDelay, reuseAddress, forceZeroCopy);
    }

    public SockOptions withNoDelay(boolean wanted) {
        return new SockOptions(priority, ackTimeoutMillis, backlog, wanted, reuseAddress, forceZeroCopy);
    }

    public SockOptions withReuseAddress(boolean wanted) {
        return new SockOptions(priority, ackTimeoutMillis, backlog, noDelay, wanted, forceZeroCopy);
    }

    public SockOptions withForceZeroCopy(boolean wanted) {
        return new SockOptions(priority, ackTimeoutMillis, backlog, noDelay, reuseAddress, wanted);
    }
}
