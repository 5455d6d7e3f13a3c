package io.spindrift.nvme.internal.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The C library's calls.
public final class LinuxVfioCalls implements VfioCalls {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int EFD_NONBLOCK = 0x800;

    /// Bound when the first device is opened: most programs have none.
    private static final class Bound {
        static final MethodHandle OPEN = NativeCalls.variadicWithErrno("open",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), 2);
        static final MethodHandle CLOSE = NativeCalls.withErrno("close",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle IOCTL_STRUCT = NativeCalls.variadicWithErrno("ioctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), 2);
        static final MethodHandle IOCTL_NUMBER = NativeCalls.variadicWithErrno("ioctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG), 2);
        static final MethodHandle MMAP = NativeCalls.withErrno("mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        static final MethodHandle MUNMAP = NativeCalls.withErrno("munmap",
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle PREAD = NativeCalls.withErrno("pread",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        static final MethodHandle PWRITE = NativeCalls.withErrno("pwrite",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        static final MethodHandle EVENTFD = NativeCalls.withErrno("eventfd",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle READ = NativeCalls.withErrno("read",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    }

    private static void assertMayBlock() {
        assert !Thread.currentThread().isVirtual() : "a call that can block would pin a virtual thread's carrier";
    }

    @Override
    public int open(String path, int flags) {
        assertMayBlock();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCalls.state();
            return (int) NativeCalls.result((int) Bound.OPEN.invokeExact(state, arena.allocateFrom(path), flags),
                    state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public int close(int fd) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return (int) NativeCalls.result((int) Bound.CLOSE.invokeExact(state, fd), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public int ioctl(int fd, long request, MemorySegment argument) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return (int) NativeCalls.result((int) Bound.IOCTL_STRUCT.invokeExact(state, fd, request, argument), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public int ioctl(int fd, long request, long argument) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return (int) NativeCalls.result((int) Bound.IOCTL_NUMBER.invokeExact(state, fd, request, argument), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public long mmap(long length, int fd, long offset) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((long) Bound.MMAP.invokeExact(state, 0L, length, PROT_READ_WRITE, MAP_SHARED, fd,
                    offset), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public int munmap(long address, long length) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return (int) NativeCalls.result((int) Bound.MUNMAP.invokeExact(state, address, length), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    @SuppressWarnings("restricted")
    public MemorySegment view(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    @Override
    public long pread(int fd, MemorySegment buffer, long length, long offset) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((long) Bound.PREAD.invokeExact(state, fd, buffer, length, offset), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public long pwrite(int fd, MemorySegment buffer, long length, long offset) {
        assertMayBlock();
        try {
            MemorySegment state = NativeCalls.state();
            return NativeCalls.result((long) Bound.PWRITE.invokeExact(state, fd, buffer, length, offset), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public int eventfd() {
        try {
            MemorySegment state = NativeCalls.state();
            return (int) NativeCalls.result((int) Bound.EVENTFD.invokeExact(state, 0, O_CLOEXEC | EFD_NONBLOCK), state);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }

    @Override
    public long drain(int eventfd, MemorySegment buffer) {
        try {
            MemorySegment state = NativeCalls.state();
            long result = NativeCalls.result((long) Bound.READ.invokeExact(state, eventfd, buffer, (long) Long.BYTES),
                    state);
            return result < 0 ? result : buffer.get(JAVA_LONG, 0);
        } catch (Throwable t) {
            throw NativeCalls.impossible(t);
        }
    }
}
