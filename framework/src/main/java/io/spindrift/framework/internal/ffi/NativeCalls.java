package io.spindrift.framework.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// How this package binds C functions: linked on first use, `errno` captured per thread.
final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE
            .byteOffset(java.lang.foreign.MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> CAPTURED = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(STATE));

    private NativeCalls() {}

    /// A handle whose first argument is the segment that receives `errno` (see [#state()]).
    @SuppressWarnings("restricted")
    static MethodHandle withErrno(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor,
                Linker.Option.captureCallState("errno"));
    }

    /// A handle for a function that cannot fail or whose failure needs no reason.
    @SuppressWarnings("restricted")
    static MethodHandle plain(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }

    /// A handle for a variadic function that cannot fail or whose failure needs no reason, called with the one shape
    /// that `descriptor` describes; the arguments from index `firstVariadic` on are those after the `...`.
    @SuppressWarnings("restricted")
    static MethodHandle variadic(String name, FunctionDescriptor descriptor, int firstVariadic) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor,
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    /// As [#variadic], whose first argument is the segment that receives `errno`. That one does not count for
    /// `firstVariadic`, though the handle takes it.
    @SuppressWarnings("restricted")
    static MethodHandle variadicWithErrno(String name, FunctionDescriptor descriptor, int firstVariadic) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor,
                Linker.Option.firstVariadicArg(firstVariadic), Linker.Option.captureCallState("errno"));
    }

    /// This thread's capture segment, used again for each call. It is freed some time after the thread has ended.
    static MemorySegment state() {
        return CAPTURED.get();
    }

    /// `result` if it is not -1, else the negated `errno` that `state` holds: the kernel's own convention.
    static long result(long result, MemorySegment state) {
        return result == -1 ? -state.get(ValueLayout.JAVA_INT, ERRNO_OFFSET) : result;
    }

    /// Method handles declare `Throwable`; C functions throw nothing.
    static AssertionError impossible(Throwable cause) {
        return new AssertionError(cause);
    }
}
