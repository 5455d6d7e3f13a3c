package io.spindrift.nvme.pcie;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The kernel's end of an eventfd.
final class EventFd {
    private static final MethodHandle WRITE = write();

    private EventFd() {}

    @SuppressWarnings("restricted")
    private static MethodHandle write() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow("write"), FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    }

    /// Counts one event more.
    static void signal(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            if ((long) WRITE.invokeExact(fd, one, 8L) != 8) {
                throw new AssertionError("eventfd " + fd);
            }
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }
}
