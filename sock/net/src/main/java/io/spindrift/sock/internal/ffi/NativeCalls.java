package io.spindrift.sock.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// How this package binds C functions.
///
/// Two ways to `errno`: captured by the call (right always, and 40 bytes in code that C2 has not compiled), or read
/// afterwards where the C library keeps it for this OS thread ([#errno()]), which costs nothing and can be wrong: the
/// JVM may have made calls of its own in between. Whoever reads it so confirms what matters by a captured call.
final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> CAPTURED = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(STATE));
    private static final MethodHandle ERRNO_LOCATION = plain("__errno_location",
            FunctionDescriptor.of(ValueLayout.ADDRESS));
    private static final ThreadLocal<MemorySegment> ERRNO = ThreadLocal.withInitial(NativeCalls::errnoLocation);

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

    /// A handle without capture.
    @SuppressWarnings("restricted")
    static MethodHandle plain(String name, FunctionDescriptor shape) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape);
    }

    /// This thread's capture segment, used again for each call.
    static MemorySegment state() {
        return CAPTURED.get();
    }

    /// `result` if it is not -1, else the negated `errno` that `state` holds.
    static int result(int result, MemorySegment state) {
        return result == -1 ? -state.get(ValueLayout.JAVA_INT, ERRNO_OFFSET) : result;
    }

    /// As [#result(int, MemorySegment)].
    static long result(long result, MemorySegment state) {
        return result == -1 ? -state.get(ValueLayout.JAVA_INT, ERRNO_OFFSET) : result;
    }

    /// The OS thread's `errno` now. Not on a virtual thread, whose OS thread changes.
    static int errno() {
        assert !Thread.currentThread().isVirtual();
        return ERRNO.get().get(ValueLayout.JAVA_INT, 0);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment errnoLocation() {
        try {
            return ((MemorySegment) ERRNO_LOCATION.invokeExact()).reinterpret(Integer.BYTES);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /// Method handles declare `Throwable`; C functions throw nothing.
    static AssertionError impossible(Throwable cause) {
        return new AssertionError(cause);
    }
}
