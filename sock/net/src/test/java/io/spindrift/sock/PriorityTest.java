package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

/// SO_PRIORITY (socket(7)): 0 to 6 are anybody's, more is for those with CAP_NET_ADMIN or CAP_NET_RAW.
class PriorityTest {
    private static final SockAddress ANY_PORT = SockAddress.of("127.0.0.1", 0);
    // linux/capability.h
    private static final int VERSION_3 = 0x20080522;
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_NET_RAW = 13;

    private static int listen(int priority) {
        return SocketSetUp.listen(ANY_PORT, SockOptions.DEFAULT.withPriority(priority), SockImplOptions.DEFAULT);
    }

    @Test
    void aListenerHasThePriorityThatWasAskedFor() {
        int descriptor = listen(6);
        try {
            assertEquals(6, SocketCalls.getsockopt(descriptor, SocketCalls.SOL_SOCKET, SocketCalls.SO_PRIORITY));
        } finally {
            SocketCalls.close(descriptor);
        }
    }

    /// Capabilities are each thread's own.
    @Test
    void aPriorityThatTheKernelRefusesIsNamed() throws Throwable {
        MethodHandle get = handle("capget");
        MethodHandle set = handle("capset");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(8, 4);
            header.set(ValueLayout.JAVA_INT, 0, VERSION_3);
            MemorySegment capabilities = arena.allocate(24, 4); // effective, permitted, inheritable; then those from 32 on
            assertEquals(0, (int) get.invokeExact(header, capabilities));
            int before = capabilities.get(ValueLayout.JAVA_INT, 0);
            capabilities.set(ValueLayout.JAVA_INT, 0, before & ~(1 << CAP_NET_ADMIN | 1 << CAP_NET_RAW));
            assertEquals(0, (int) set.invokeExact(header, capabilities));
            try {
                ErrnoException refused = assertThrows(ErrnoException.class, () -> listen(7));
                assertEquals(Errno.EPERM, refused.errno());
                assertEquals(
                        "sock_priority=7 is outside 0..6, and more needs CAP_NET_ADMIN or CAP_NET_RAW: Operation not permitted",
                        refused.getMessage());
            } finally {
                capabilities.set(ValueLayout.JAVA_INT, 0, before);
                int restored = (int) set.invokeExact(header, capabilities);
                assertEquals(0, restored);
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    }
}
