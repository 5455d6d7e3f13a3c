package io.spindrift.sock;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.sock.internal.ffi.SockAddr;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;

/// Makes sockets and sets their options. Any thread; nothing here waits.
final class SocketSetUp {
    private static final int TYPE = SocketCalls.SOCK_STREAM | SocketCalls.SOCK_NONBLOCK | SocketCalls.SOCK_CLOEXEC;

    private SocketSetUp() {}

    /// A socket that listens on `address`. Throws [ErrnoException] naming it.
    static int listen(SockAddress address, SockOptions options, SockImplOptions implOptions) {
        int fd = socket(address);
        try {
            SocketCalls.setsockopt(fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR, 1); // old connections may linger
            if (address.v6()) { // else :: would take the IPv4 port too
                SocketCalls.setsockopt(fd, SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_V6ONLY, 1);
            }
            checkPriority(fd, options);
            apply(fd, options, implOptions); // before listen: the window's scale is told in the first packet
            Errno.check("bind to " + address, bind(fd, address));
            Errno.check("listen on " + address, SocketCalls.listen(fd, options.backlog()));
            return fd;
        } catch (RuntimeException e) {
            SocketCalls.close(fd);
            throw e;
        }
    }

    private static int bind(int fd, SockAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            return SocketCalls.bind(fd, wire(address, arena));
        }
    }

    /// A socket that begins to connect to `address`. Throws [ErrnoException] naming it.
    static int connect(SockAddress address, SockOptions options, SockImplOptions implOptions) {
        int fd = socket(address);
        try (Arena arena = Arena.ofConfined()) {
            checkPriority(fd, options);
            apply(fd, options, implOptions);
            setTypeOfService(fd, address, options);
            options.source().ifPresent(source -> Errno.check("bind to " + source + ", to connect to " + address,
                    bind(fd, source)));
            int rc = SocketCalls.connect(fd, wire(address, arena));
            if (rc < 0 && rc != -Errno.EINPROGRESS) {
                throw new ErrnoException("connect to " + address, -rc);
            }
            return fd;
        } catch (RuntimeException e) {
            SocketCalls.close(fd);
            throw e;
        }
    }

    private static void setTypeOfService(int fd, SockAddress address, SockOptions options) {
        if (options.typeOfService() != 0) {
            SocketCalls.setsockopt(fd, address.v6() ? SocketCalls.IPPROTO_IPV6 : SocketCalls.IPPROTO_IP,
                    address.v6() ? SocketCalls.IPV6_TCLASS : SocketCalls.IP_TOS, options.typeOfService());
        }
    }

    /// Sets the priority; one that the kernel refuses must not be lost without a word.
    private static void checkPriority(int fd, SockOptions options) {
        int rc = setPriority(fd, options);
        if (rc < 0) {
            throw new ErrnoException(-rc, "sock_priority=" + options.priority()
                    + " is outside 0..6, and more needs CAP_NET_ADMIN or CAP_NET_RAW: " + Errno.text(-rc));
        }
    }

    private static int setPriority(int fd, SockOptions options) {
        return options.priority() == 0
                ? 0
                : SocketCalls.setsockopt(fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_PRIORITY, options.priority());
    }

    private static int socket(SockAddress address) {
        int family = address.v6() ? SocketCalls.AF_INET6 : SocketCalls.AF_INET;
        return Errno.check("socket for " + address, SocketCalls.socket(family, TYPE, 0));
    }

    private static MemorySegment wire(SockAddress address, Arena arena) {
        MemorySegment wire = arena.allocate(address.v6() ? SockAddr.SIZE_IN6 : SockAddr.SIZE_IN, 8);
        int scope = address.ip() instanceof Inet6Address v6 ? v6.getScopeId() : 0;
        SockAddr.set(wire, address.ip().getAddress(), address.port(), scope);
        return wire;
    }

    /// Sets what is asked for; an option that the kernel refuses stays as it is.
    static void apply(int fd, SockOptions options, SockImplOptions implOptions) {
        if (implOptions.recvBufSize() > 0) {
            SocketCalls.setsockopt(fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_RCVBUF, (int) implOptions.recvBufSize());
        }
        if (implOptions.sendBufSize() > 0) {
            SocketCalls.setsockopt(fd, SocketCalls.SOL_SOCKET, SocketCalls.SO_SNDBUF, (int) implOptions.sendBufSize());
        }
        setPriority(fd, options);
        SocketCalls.setsockopt(fd, SocketCalls.IPPROTO_TCP, SocketCalls.TCP_NODELAY, 1);
        if (implOptions.enableQuickack()) {
            SocketCalls.setsockopt(fd, SocketCalls.IPPROTO_TCP, SocketCalls.TCP_QUICKACK, 1);
        }
    }

    static SockAddress localAddress(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SockAddr.SIZE_IN6, 8);
            Errno.check("getsockname", SocketCalls.getsockname(fd, address));
            return SockAddress.of(SockAddr.address(address), SockAddr.port(address));
        }
    }
}
