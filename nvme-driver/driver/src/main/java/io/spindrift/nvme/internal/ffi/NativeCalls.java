package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// How this package binds C functions: `errno` captured per thread.
final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> CAPTURED = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(STATE));

    private NativeCalls() {}

    /// A handle whose first argument is the segment that receives `errno` (see [#state()]).
    @SuppressWarnings("restricted")
    static MethodHandle withErrno(String name, FunctionDescriptor shape) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape,
                Linker.Option.captureCallState("errno"));
    }

    /// As [#withErrno], for a variadic function; the arguments from index `firstVariadic` on are those after the `...`.
    @SuppressWarnings("restricted")
    static MethodHandle variadicWithErrno(String name, FunctionDescriptor shape, int firstVariadic) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape,
                Linker.Option.firstVariadicArg(firstVariadic), Linker.Option.captureCallState("errno"));
    }

    /// This thread's capture segment, used again for each call.
    static MemorySegment state() {
        return CAPTURED.get();
    }

    /// `result` if it is not -1, else the negated `errno` that `state` holds.
    static long result(long result, MemorySegment state) {
        return result == -1 ? -state.get(ValueLayout.JAVA_INT, ERRNO_OFFSET) : result;
    }

    /// Method handles declare `Throwable`; C functions throw nothing.
    static AssertionError impossible(Throwable cause) {
        return new AssertionError(cause);
    }
}
