package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.sock.posix.PosixSockImplementation;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class AcceptLimitTest {
    private static final int RLIMIT_NOFILE = 7; // asm-generic/resource.h
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS);

    @Test
    void aListenerWithoutDescriptorsPausesAndGoesOn() throws Throwable {
        try (SockBench bench = new SockBench(new PosixSockImplementation()); Arena arena = Arena.ofConfined()) {
            bench.connect(bench.listener.address()); // everything is loaded
            bench.accept().close();
            DetachedSock client = bench.connect(bench.listener.address());
            MethodHandle get = handle("getrlimit");
            MethodHandle set = handle("setrlimit");
            MemorySegment limit = arena.allocate(16, 8); // struct rlimit: soft at 0, hard at 8
            assertEquals(0, (int) get.invokeExact(RLIMIT_NOFILE, limit));
            long before = limit.get(ValueLayout.JAVA_LONG, 0);
            limit.set(ValueLayout.JAVA_LONG, 0, 3); // no number is below it that is free
            int lowered = (int) set.invokeExact(RLIMIT_NOFILE, limit);
            try {
                assertEquals(0, lowered);
                for (int i = 0; i < 50; i++) {
                    bench.reactor.clock().advance(10_000_000);
                    bench.reactor.stepAll();
                }
            } finally {
                limit.set(ValueLayout.JAVA_LONG, 0, before);
                lowered = (int) set.invokeExact(RLIMIT_NOFILE, limit);
            }
            assertEquals(0, lowered);
            assertTrue(bench.accepted.isEmpty());
            bench.log.flush();
            assertEquals(1, bench.logged.size(), () -> "logged: " + bench.logged);
            assertTrue(bench.logged.getFirst().contains(bench.listener.address() + " accepts no connection for now: "
                    + "Too many open files"), bench.logged.getFirst());
            bench.reactor.clock().advance(200_000_000);
            assertEquals(client.localAddress(), bench.accept().peerAddress());
            client.close();
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), SHAPE);
    }
}
