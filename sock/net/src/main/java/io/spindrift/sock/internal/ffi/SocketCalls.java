package io.spindrift.sock.internal.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The C library's socket calls off the data path, with their C names.
///
/// Each returns what C returns or, for -1, the negated `errno`. None waits, but [#poll] for as long as it is told to.
public final class SocketCalls {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int SOCK_STREAM = 1;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;
    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_ERROR = 4;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_PRIORITY = 12;
    public static final int SO_MARK = 36;
    public static final int SO_INCOMING_CPU = 49;
    public static final int SO_INCOMING_NAPI_ID = 56;
    public static final int SO_ZEROCOPY = 60;
    public static final int IPPROTO_TCP = 6;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_QUICKACK = 12;
    public static final int IPPROTO_IP = 0;
    public static final int IP_TOS = 1;
    public static final int IPV6_TCLASS = 67;
    public static final int IPPROTO_IPV6 = 41;
    public static final int IPV6_V6ONLY = 26;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;
    public static final short POLLOUT = 4;
    public static final int F_SETFL = 4;

    private static final MemorySegment NULL = MemorySegment.NULL;

    private static final MethodHandle SOCKET = NativeCalls.withErrno("socket",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final FunctionDescriptor WITH_ADDRESS = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle BIND = NativeCalls.withErrno("bind", WITH_ADDRESS);
    private static final MethodHandle CONNECT = NativeCalls.withErrno("connect", WITH_ADDRESS);
    private static final FunctionDescriptor TWO_INTS = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle LISTEN = NativeCalls.withErrno("listen", TWO_INTS);
    private static final MethodHandle SHUTDOWN = NativeCalls.withErrno("shutdown", TWO_INTS);
    private static final MethodHandle CLOSE = NativeCalls.withErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT4 = NativeCalls.withErrno("accept4",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle SETSOCKOPT = NativeCalls.withErrno("setsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKOPT = NativeCalls.withErrno("getsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final FunctionDescriptor OUT_ADDRESS = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle GETSOCKNAME = NativeCalls.withErrno("getsockname", OUT_ADDRESS);
    private static final MethodHandle GETPEERNAME = NativeCalls.withErrno("getpeername", OUT_ADDRESS);
    private static final MethodHandle POLL = NativeCalls.withErrno("poll",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FCNTL = NativeCalls.variadicWithErrno("fcntl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), 2);

    private SocketCalls() {}

    public static int socket(int domain, int type, int protocol) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) SOCKET.invokeExact(state, domain, type, protocol), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// `address` is a struct of [SockAddr], as long as its segment.
    public static int bind(int fd, MemorySegment address) {
        return withAddress(BIND, fd, address);
    }

    /// As [#bind]; the socket must not block.
    public static int connect(int fd, MemorySegment address) {
        return withAddress(CONNECT, fd, address);
    }

    private static int withAddress(MethodHandle handle, int fd, MemorySegment address) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) handle.invokeExact(state, fd, address, (int) address.byteSize()), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int listen(int fd, int backlog) {
        return twoInts(LISTEN, fd, backlog);
    }

    public static int shutdown(int fd, int how) {
        return twoInts(SHUTDOWN, fd, how);
    }

    private static int twoInts(MethodHandle handle, int fd, int argument) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) handle.invokeExact(state, fd, argument), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int close(int fd) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) CLOSE.invokeExact(state, fd), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// The peer's address is asked for by [#getpeername]; the listening socket must not block.
    public static int accept4(int fd, int flags) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) ACCEPT4.invokeExact(state, fd, NULL, NULL, flags), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Sets an option that is an int.
    public static int setsockopt(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCalls.state();
            MemorySegment argument = arena.allocateFrom(JAVA_INT, value);
            return NativeCalls.result((int) SETSOCKOPT.invokeExact(state, fd, level, option, argument, 4), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Reads an option that is an int of 0 or more, or returns a negated errno.
    public static int getsockopt(int fd, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCalls.state();
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment length = arena.allocateFrom(JAVA_INT, 4);
            int rc = NativeCalls.result((int) GETSOCKOPT.invokeExact(state, fd, level, option, value, length), state);
            return rc < 0 ? rc : value.get(JAVA_INT, 0);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Fills in `address`, which has room for any of [SockAddr].
    public static int getsockname(int fd, MemorySegment address) {
        return outAddress(GETSOCKNAME, fd, address);
    }

    /// As [#getsockname].
    public static int getpeername(int fd, MemorySegment address) {
        return outAddress(GETPEERNAME, fd, address);
    }

    private static int outAddress(MethodHandle handle, int fd, MemorySegment address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCalls.state();
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) address.byteSize());
            return NativeCalls.result((int) handle.invokeExact(state, fd, address, length), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Waits up to `timeoutMillis` for one of `events`. Returns 1, 0 or a negated errno. Blocks: not on a virtual thread.
    public static int poll(int fd, short events, int timeoutMillis) {
        assert !Thread.currentThread().isVirtual() : "a wait would pin a virtual thread's carrier";
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCalls.state();
            MemorySegment pollfd = arena.allocate(8, 4); // struct pollfd: fd at 0, events at 4, revents at 6
            pollfd.set(JAVA_INT, 0, fd);
            pollfd.set(JAVA_SHORT, 4, events);
            return NativeCalls.result((int) POLL.invokeExact(state, pollfd, 1L, timeoutMillis), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// fcntl(2) for the commands that take an int.
    public static int fcntl(int fd, int command, int argument) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) FCNTL.invokeExact(state, fd, command, argument), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }
}
