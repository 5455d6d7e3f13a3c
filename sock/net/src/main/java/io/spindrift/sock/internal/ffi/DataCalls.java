package io.spindrift.sock.internal.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.spindrift.framework.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The calls of the data path: they allocate nothing, never block and never throw. On reactors only.
///
/// Each returns a count or a negated errno. Addresses are raw: the caller has checked the range and keeps it alive. A
/// failure other than EAGAIN is confirmed by making the call again, with its errno captured; see [NativeCalls].
public final class DataCalls {
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_WAITALL = 0x100;
    public static final int MSG_ERRQUEUE = 0x2000;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_ZEROCOPY = 0x4000000;
    public static final int EPOLL_CLOEXEC = 0x80000;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLL_CTL_MOD = 3;

    private static final FunctionDescriptor RECV = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG,
            JAVA_INT);
    private static final FunctionDescriptor MESSAGE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV_PLAIN = NativeCalls.plain("recv", RECV);
    private static final MethodHandle RECV_ERRNO = NativeCalls.withErrno("recv", RECV);
    private static final MethodHandle SENDMSG_PLAIN = NativeCalls.plain("sendmsg", MESSAGE);
    private static final MethodHandle SENDMSG_ERRNO = NativeCalls.withErrno("sendmsg", MESSAGE);
    private static final MethodHandle RECVMSG_PLAIN = NativeCalls.plain("recvmsg", MESSAGE);
    private static final MethodHandle EPOLL_WAIT = NativeCalls.plain("epoll_wait",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CTL = NativeCalls.plain("epoll_ctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle EPOLL_CREATE1 = NativeCalls.withErrno("epoll_create1",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle MALLOC = NativeCalls.plain("malloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
    private static final MethodHandle FREE = NativeCalls.plain("free", FunctionDescriptor.ofVoid(ADDRESS));

    private DataCalls() {}

    public static long recv(int fd, long buffer, long length, int flags) {
        try {
            long rc = (long) RECV_PLAIN.invokeExact(fd, buffer, length, flags);
            if (rc >= 0) {
                return rc;
            }
            int first = NativeCalls.errno();
            return first == Errno.EAGAIN ? -Errno.EAGAIN : recvAgain(first, fd, buffer, length, flags);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// A reset is reported once, and by end of stream from then on: the first errno counts if the call fails again.
    private static long recvAgain(int first, int fd, long buffer, long length, int flags) throws Throwable {
        MemorySegment state = NativeCalls.state();
        long rc = NativeCalls.result((long) RECV_ERRNO.invokeExact(state, fd, buffer, length, flags), state);
        return rc > 0 || rc == -Errno.EAGAIN ? rc : -first;
    }

    /// `message` is the address of a [MsgHdr].
    public static long sendmsg(int fd, long message, int flags) {
        try {
            long rc = (long) SENDMSG_PLAIN.invokeExact(fd, message, flags);
            if (rc >= 0) {
                return rc;
            }
            int first = NativeCalls.errno();
            return first == Errno.EAGAIN ? -Errno.EAGAIN : sendAgain(first, fd, message, flags);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    private static long sendAgain(int first, int fd, long message, int flags) throws Throwable {
        MemorySegment state = NativeCalls.state();
        long rc = NativeCalls.result((long) SENDMSG_ERRNO.invokeExact(state, fd, message, flags), state);
        return rc >= 0 || rc == -Errno.EAGAIN || rc == -Errno.ENOBUFS ? rc : -first;
    }

    /// Takes a message off the error queue; the number of bytes (0) or, if there is none, a negative number.
    public static long recvErrorQueue(int fd, long message) {
        try {
            return (long) RECVMSG_PLAIN.invokeExact(fd, message, MSG_ERRQUEUE | MSG_DONTWAIT);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Returns at once with the number of [EpollEvent] at `events`.
    public static int epoll_wait(int epfd, long events, int maxEvents) {
        try {
            return Math.max(0, (int) EPOLL_WAIT.invokeExact(epfd, events, maxEvents, 0));
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Returns 0, or -1 for any failure.
    public static int epoll_ctl(int epfd, int op, int fd, long event) {
        try {
            return (int) EPOLL_CTL.invokeExact(epfd, op, fd, event);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int epoll_create1(int flags) {
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((int) EPOLL_CREATE1.invokeExact(state, flags), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Memory of `length` bytes, or null if there is none; its owner gives it back by [#free].
    @SuppressWarnings("restricted")
    public static MemorySegment malloc(long length) {
        try {
            MemorySegment memory = (MemorySegment) MALLOC.invokeExact(length);
            return memory.address() == 0 ? null : memory.reinterpret(length);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static void free(MemorySegment memory) {
        try {
            FREE.invokeExact(memory);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }
}
