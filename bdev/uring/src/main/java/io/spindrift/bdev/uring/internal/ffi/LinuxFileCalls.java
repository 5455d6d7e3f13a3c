package io.spindrift.bdev.uring.internal.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// The C library's file calls, linked when the first is made.
public final class LinuxFileCalls implements FileCalls {
    private static final int AT_EMPTY_PATH = 0x1000;

    private static final class Handles {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final StructLayout STATE = Linker.Option.captureStateLayout();
        private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));

        static final MethodHandle OPEN = variadic("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle CLOSE = plain("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle STATX = plain("statx",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle IOCTL = variadic("ioctl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
        static final MethodHandle FALLOCATE = plain("fallocate",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle LSEEK = plain("lseek",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
        static final MethodHandle PREAD = plain("pread",
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));

        private Handles() {}

        @SuppressWarnings("restricted")
        private static MethodHandle plain(String name, FunctionDescriptor shape) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape,
                    Linker.Option.captureCallState("errno"));
        }

        @SuppressWarnings("restricted")
        private static MethodHandle variadic(String name, FunctionDescriptor shape) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape,
                    Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(2));
        }
    }

    /// Makes a call with an arena that lives as long, in which its errno is captured.
    private interface Call {
        long in(Arena arena, MemorySegment state) throws Throwable;
    }

    private static long result(Call call) {
        assert !Thread.currentThread().isVirtual() : "a call that can block would pin a virtual thread's carrier";
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Handles.STATE);
            long rc = call.in(arena, state);
            return rc == -1 ? -state.get(JAVA_INT, Handles.ERRNO) : rc;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new AssertionError(t); // method handles declare it; C functions throw nothing
        }
    }

    @Override
    public int open(String path, int flags) {
        return (int) result(
                (arena, state) -> (int) Handles.OPEN.invokeExact(state, arena.allocateFrom(path), flags, 0));
    }

    @Override
    public int close(int fd) {
        return (int) result((arena, state) -> (int) Handles.CLOSE.invokeExact(state, fd));
    }

    @Override
    public int statx(int fd, MemorySegment buffer) {
        return (int) result((arena, state) -> (int) Handles.STATX.invokeExact(state, fd, arena.allocateFrom(""),
                AT_EMPTY_PATH, Statx.MASK, buffer));
    }

    @Override
    public int ioctl(int fd, long request, MemorySegment argument) {
        return (int) result((arena, state) -> (int) Handles.IOCTL.invokeExact(state, fd, request, argument));
    }

    @Override
    public int fallocate(int fd, int mode, long offset, long length) {
        return (int) result((arena, state) -> (int) Handles.FALLOCATE.invokeExact(state, fd, mode, offset, length));
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        return result((arena, state) -> (long) Handles.LSEEK.invokeExact(state, fd, offset, whence));
    }

    @Override
    public long pread(int fd, MemorySegment buffer, long length, long offset) {
        return result((arena, state) -> (long) Handles.PREAD.invokeExact(state, fd, buffer, length, offset));
    }
}
