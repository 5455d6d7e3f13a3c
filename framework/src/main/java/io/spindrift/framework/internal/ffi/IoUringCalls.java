package io.spindrift.framework.internal.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.spindrift.framework.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The three system calls of io_uring, made through `syscall(2)` because the C library has no wrapper for them.
///
/// Each returns what the kernel returns: a result, or a negated errno. The numbers are the same on every
/// architecture that Linux gained after 2019, x86-64 and arm64 included (asm-generic/unistd.h).
public final class IoUringCalls {
    private static final long NR_IO_URING_SETUP = 425;
    private static final long NR_IO_URING_ENTER = 426;
    private static final long NR_IO_URING_REGISTER = 427;

    private IoUringCalls() {}

    private static final class Setup {
        static final MethodHandle HANDLE = NativeCalls.variadicWithErrno("syscall",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS), 1);
    }

    private static final class Enter {
        private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT,
                JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        static final MethodHandle HANDLE = NativeCalls.variadic("syscall", SHAPE, 1);
        static final MethodHandle WITH_ERRNO = NativeCalls.variadicWithErrno("syscall", SHAPE, 1);
    }

    private static final class Register {
        static final MethodHandle HANDLE = NativeCalls.variadicWithErrno("syscall",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
                1);
    }

    /// `params` is a struct io_uring_params, read and filled in. Returns the ring's descriptor.
    public static int io_uring_setup(int entries, MemorySegment params) {
        try {
            MemorySegment state = NativeCalls.state();
            long rc = (long) Setup.HANDLE.invokeExact(state, NR_IO_URING_SETUP, entries, params);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Returns the number of entries consumed. Blocks only if `minComplete` is above zero.
    ///
    /// A plain call and not a critical one: that would save 3 ns of an empty call's 236, and hold up every safepoint
    /// while the kernel works through a batch. Without the capture of errno, which allocates 40 bytes in code that C2
    /// has not compiled: see [#enterAgain].
    public static int io_uring_enter(int fd, int toSubmit, int minComplete, int flags) {
        assert minComplete == 0 || !Thread.currentThread().isVirtual() : "a wait would pin the carrier";
        try {
            long rc = (long) Enter.HANDLE.invokeExact(NR_IO_URING_ENTER, fd, toSubmit, minComplete, flags, 0L, 0L);
            return rc >= 0 ? (int) rc : enterAgain(fd, toSubmit, minComplete, flags);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// A call that failed has consumed nothing, so the reason is found by making it again.
    private static int enterAgain(int fd, int toSubmit, int minComplete, int flags) throws Throwable {
        MemorySegment state = NativeCalls.state();
        long rc = (long) Enter.WITH_ERRNO.invokeExact(state, NR_IO_URING_ENTER, fd, toSubmit, minComplete, flags, 0L,
                0L);
        return (int) NativeCalls.result(rc, state);
    }

    /// `argument` is what `opcode` asks for, or `MemorySegment.NULL`.
    public static int io_uring_register(int fd, int opcode, MemorySegment argument, int count) {
        try {
            MemorySegment state = NativeCalls.state();
            long rc = (long) Register.HANDLE.invokeExact(state, NR_IO_URING_REGISTER, fd, opcode, argument, count);
            return (int) NativeCalls.result(rc, state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    /// Maps `length` bytes of a ring at the magic `offset` (IORING_OFF_*), until `arena` closes.
    ///
    /// Throws an `ErrnoException` naming `what` if the kernel refuses.
    @SuppressWarnings("restricted")
    public static MemorySegment mapRing(String what, int fd, long offset, long length, Arena arena) {
        long address = Errno.check("mmap " + what, Libc.mmap(0, length,
                Libc.PROT_READ | Libc.PROT_WRITE, Libc.MAP_SHARED | Libc.MAP_POPULATE, fd, offset));
        return MemorySegment.ofAddress(address).reinterpret(length, arena, s -> Libc.munmap(s.address(), length));
    }
}
