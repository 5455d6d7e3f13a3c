package io.spindrift.sock.internal.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Addresses as the kernel has them: struct sockaddr_in and sockaddr_in6 of netinet/in.h.
public final class SockAddr {
    public static final int SIZE_IN = 16;
    public static final int SIZE_IN6 = 28;

    static final int FAMILY = 0;
    static final int PORT = 2;
    static final int IN_ADDR = 4;
    static final int IN6_ADDR = 8;
    static final int IN6_SCOPE_ID = 24;

    private static final ValueLayout.OfShort NETWORK_SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SockAddr() {}

    /// Writes an address of 4 or 16 bytes; the segment has exactly [#SIZE_IN] or [#SIZE_IN6].
    public static void set(MemorySegment memory, byte[] address, int port, int scopeId) {
        memory.fill((byte) 0);
        memory.set(NETWORK_SHORT, PORT, (short) port);
        boolean v4 = address.length == 4;
        memory.set(ValueLayout.JAVA_SHORT, FAMILY, (short) (v4 ? SocketCalls.AF_INET : SocketCalls.AF_INET6));
        MemorySegment.copy(address, 0, memory, ValueLayout.JAVA_BYTE, v4 ? IN_ADDR : IN6_ADDR, address.length);
        if (!v4) {
            memory.set(ValueLayout.JAVA_INT, IN6_SCOPE_ID, scopeId);
        }
    }

    /// The 4 or 16 bytes of the address.
    public static byte[] address(MemorySegment memory) {
        boolean v4 = memory.get(ValueLayout.JAVA_SHORT, FAMILY) == SocketCalls.AF_INET;
        byte[] address = new byte[v4 ? 4 : 16];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, v4 ? IN_ADDR : IN6_ADDR, address, 0, address.length);
        return address;
    }

    public static int port(MemorySegment memory) {
        return memory.get(NETWORK_SHORT, PORT) & 0xFFFF;
    }
}
