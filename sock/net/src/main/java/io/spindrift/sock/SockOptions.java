package io.spindrift.sock;

import io.spindrift.framework.Check;
import java.util.Optional;

/// What the owner of a listener or connection chooses for it; what all sockets of an implementation share is in
/// [SockImplOptions].
///
/// @param priority SO_PRIORITY: the queue that packets leave by; above 6 the kernel asks for CAP_NET_ADMIN or CAP_NET_RAW
/// @param backlog connections that may wait to be accepted, at least 1; the kernel cuts it to net.core.somaxconn
/// @param forceZeroCopy zero copy on loopback too, where the kernel copies all the same: for tests
/// @param typeOfService of IP packets, 0 to 255: IP_TOS, IPV6_TCLASS
/// @param source the address that a connection comes from; the kernel's choice if there is none
public record SockOptions(int priority, int backlog, boolean forceZeroCopy, int typeOfService,
        Optional<SockAddress> source) {
    public static final SockOptions DEFAULT = new SockOptions(0, 512, false, 0, Optional.empty());

    public SockOptions {
        Check.range("sock_priority", priority, 0, Integer.MAX_VALUE);
        Check.range("acceptor_backlog", backlog, 1, 65535);
        Check.range("transport_tos", typeOfService, 0, 255);
    }

    public SockOptions withPriority(int newPriority) {
        return new SockOptions(newPriority, backlog, forceZeroCopy, typeOfService, source);
    }

    public SockOptions withBacklog(int newBacklog) {
        return new SockOptions(priority, newBacklog, forceZeroCopy, typeOfService, source);
    }

    public SockOptions withForceZeroCopy(boolean wanted) {
        return new SockOptions(priority, backlog, wanted, typeOfService, source);
    }

    public SockOptions withTypeOfService(int tos) {
        return new SockOptions(priority, backlog, forceZeroCopy, tos, source);
    }

    public SockOptions withSource(Optional<SockAddress> address) {
        return new SockOptions(priority, backlog, forceZeroCopy, typeOfService, address);
    }
}
