package io.spindrift.sock;

import io.spindrift.framework.Check;

/// What the owner of a listener or connection chooses for it; what all sockets of an implementation share is in
/// [SockImplOptions].
///
/// @param priority SO_PRIORITY: the queue that packets leave by; above 6 the kernel asks for CAP_NET_ADMIN or CAP_NET_RAW
/// @param backlog connections that may wait to be accepted, at least 1; the kernel cuts it to net.core.somaxconn
/// @param forceZeroCopy zero copy on loopback too, where the kernel copies all the same: for tests
public record SockOptions(int priority, int backlog, boolean forceZeroCopy) {
    public static final SockOptions DEFAULT = new SockOptions(0, 512, false);

    public SockOptions {
        Check.range("sock_priority", priority, 0, Integer.MAX_VALUE);
        Check.range("acceptor_backlog", backlog, 1, 65535);
    }

    public SockOptions withPriority(int newPriority) {
        return new SockOptions(newPriority, backlog, forceZeroCopy);
    }

    public SockOptions withBacklog(int newBacklog) {
        return new SockOptions(priority, newBacklog, forceZeroCopy);
    }

    public SockOptions withForceZeroCopy(boolean wanted) {
        return new SockOptions(priority, backlog, wanted);
    }
}
