package io.spindrift.framework.internal.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The C library's calls that the framework uses, with their C names.
///
/// Each returns what C returns or, for -1, the negated `errno`. Each is linked when first called.
/// Those that wait, open or map assert that they do not run on a virtual thread, whose carrier they would pin. The
/// others on descriptors (`read`, `write`, `close`, `ftruncate`, `flock`, `fcntl`) block only if the file does: there
/// the caller sees to it.
public final class Libc {
    public static final int EPOLL_CLOEXEC = 0x80000;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLLIN = 1;
    public static final int EFD_CLOEXEC = 0x80000;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_CLOEXEC = 0x80000;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_POPULATE = 0x8000;
    public static final int MAP_HUGETLB = 0x40000;
    public static final int MADV_HUGEPAGE = 14;
    public static final int LOG_ERR = 3;
    public static final int LOG_WARNING = 4;
    public static final int LOG_NOTICE = 5;
    public static final int LOG_INFO = 6;
    public static final int LOG_DEBUG = 7;
    public static final long SIG_DFL = 0;
    public static final int F_OFD_SETLK = 37;
    public static final short F_WRLCK = 1;
    public static final int LOCK_EX = 2;
    public static final int LOCK_NB = 4;

    private Libc() {}

    private static void assertMayBlock() {
        assert !Thread.currentThread().isVirtual() : "a call that can block would pin a virtual thread's carrier";
    }

    // ---- scheduling -------------------------------------------------------------------------------------------

    private static final class Scheduling {
        static final MethodHandle SET = NativeCalls.withErrno("sched_setaffinity",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
        static final MethodHandle GET = NativeCalls.withErrno("sched_getaffinity",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
        static final MethodHandle GETTID = NativeCalls.plain("gettid", FunctionDescriptor.of(JAVA_INT));
    }

    /// `mask` is a cpu_set_t of `mask.byteSize()` bytes; `tid` 0 is the calling thread.
    public static int sched_setaffinity(int tid, MemorySegment mask) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Scheduling.SET.invokeExact(state, tid, mask.byteSize(), mask);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int sched_getaffinity(int tid, MemorySegment mask) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Scheduling.GET.invokeExact(state, tid, mask.byteSize(), mask);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int gettid() {
        try {
            return (int) Scheduling.GETTID.invokeExact();
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    // ---- epoll and eventfd ------------------------------------------------------------------------------------

    private static final class Epoll {
        static final MethodHandle CREATE = NativeCalls.withErrno("epoll_create1",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle CTL = NativeCalls.withErrno("epoll_ctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle WAIT = NativeCalls.withErrno("epoll_wait",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle POLL = NativeCalls.plain("epoll_wait",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle PWAIT2 = NativeCalls.withErrno("epoll_pwait2",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
        static final MethodHandle EVENTFD = NativeCalls.withErrno("eventfd",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    }

    public static int epoll_create1(int flags) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Epoll.CREATE.invokeExact(state, flags);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// `event` is a packed struct epoll_event of 12 bytes (x86-64): events at 0, data at 4.
    public static int epoll_ctl(int epfd, int op, int fd, MemorySegment event) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Epoll.CTL.invokeExact(state, epfd, op, fd, event);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int epoll_wait(int epfd, MemorySegment events, int maxEvents, int timeoutMillis) {
        assert timeoutMillis == 0 || !Thread.currentThread().isVirtual();
        try {
            if (timeoutMillis == 0) {
                // Every idle turn comes here, and capturing errno allocates 40 bytes in code that C2 has not compiled.
                int ready = (int) Epoll.POLL.invokeExact(epfd, events, maxEvents, 0);
                if (ready >= 0) {
                    return ready;
                }
            }
            MemorySegment state = NativeCalls.state();
            int rc = (int) Epoll.WAIT.invokeExact(state, epfd, events, maxEvents, timeoutMillis);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// `timeout` is a struct timespec or `MemorySegment.NULL` to wait without limit.
    public static int epoll_pwait2(int epfd, MemorySegment events, int maxEvents, MemorySegment timeout) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Epoll.PWAIT2.invokeExact(state, epfd, events, maxEvents, timeout, MemorySegment.NULL);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int eventfd(int initial, int flags) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Epoll.EVENTFD.invokeExact(state, initial, flags);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    // ---- files ------------------------------------------------------------------------------------------------

    private static final class Files {
        static final MethodHandle OPEN = NativeCalls.withErrno("open",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle CLOSE = NativeCalls.withErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle READ = NativeCalls.withErrno("read",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle WRITE = NativeCalls.withErrno("write",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle FTRUNCATE = NativeCalls.withErrno("ftruncate",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
        static final MethodHandle FLOCK = NativeCalls.withErrno("flock",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle FCNTL = NativeCalls.variadicWithErrno("fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS), 2);
    }

    public static int open(String path, int flags, int mode) {
        assertMayBlock();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Files.OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int close(int fd) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Files.CLOSE.invokeExact(state, fd);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static long read(int fd, MemorySegment buffer, long length) {
        try {
            MemorySegment state = NativeCalls.state();
            long rc = (long) Files.READ.invokeExact(state, fd, buffer, length);
            return NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static long write(int fd, MemorySegment buffer, long length) {
        try {
            MemorySegment state = NativeCalls.state();
            long rc = (long) Files.WRITE.invokeExact(state, fd, buffer, length);
            return NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int ftruncate(int fd, long length) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Files.FTRUNCATE.invokeExact(state, fd, length);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int flock(int fd, int operation) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Files.FLOCK.invokeExact(state, fd, operation);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// fcntl(2) for the commands that take a `struct flock` of 32 bytes (64-bit Linux).
    public static int fcntl(int fd, int command, MemorySegment flock) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Files.FCNTL.invokeExact(state, fd, command, flock);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    // ---- processes --------------------------------------------------------------------------------------------

    private static final class Processes {
        static final MethodHandle KILL = NativeCalls.withErrno("kill",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle SIGNAL = NativeCalls.withErrno("signal",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG));
    }

    /// Sets what the process does about `signal`; `disposition` is [#SIG_DFL] here. Returns the one before.
    public static long signal(int signal, long disposition) {
        try {
            MemorySegment state = NativeCalls.state();
            long rc = (long) Processes.SIGNAL.invokeExact(state, signal, disposition);
            return NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int kill(int pid, int signal) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Processes.KILL.invokeExact(state, pid, signal);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    // ---- system log -------------------------------------------------------------------------------------------

    private static final class SystemLog {
        static final MethodHandle SYSLOG = NativeCalls.variadic("syslog",
                FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, ADDRESS), 2);
    }

    /// Sends `text` as it is (no format is applied to it).
    public static void syslog(int priority, String text) {
        assertMayBlock();
        try (Arena arena = Arena.ofConfined()) {
            SystemLog.SYSLOG.invokeExact(priority, arena.allocateFrom("%s"), arena.allocateFrom(text));
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    // ---- memory -----------------------------------------------------------------------------------------------

    private static final class Memory {
        static final MethodHandle MMAP = NativeCalls.withErrno("mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        static final MethodHandle MUNMAP = NativeCalls.withErrno("munmap",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle MADVISE = NativeCalls.withErrno("madvise",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    }

    /// Maps `length` bytes; the result is an address or a negated errno.
    public static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            long rc = (long) Memory.MMAP.invokeExact(state, address, length, protection, flags, fd, offset);
            return NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int munmap(long address, long length) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Memory.MUNMAP.invokeExact(state, address, length);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    public static int madvise(long address, long length, int advice) {
        try {
            MemorySegment state = NativeCalls.state();
            int rc = (int) Memory.MADVISE.invokeExact(state, address, length, advice);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }
}
