package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Authentication Send and Authentication Receive (base specification 2.0, 6.1 and 6.2): what Security Send and
/// Receive are to other transports.
public final class AuthenticationCommand {
    public static final int SPSP0 = 41;
    public static final int SPSP1 = 42;
    /// Security Protocol.
    public static final int SECP = 43;
    /// Transfer Length of Send, Allocation Length of Receive.
    public static final int TL = 44;

    /// The security protocol of NVMe.
    public static final int SECP_NVME = 0xe9;

    private AuthenticationCommand() {}

    public static int spsp0(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + SPSP0);
    }

    public static int spsp1(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + SPSP1);
    }

    public static int secp(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + SECP);
    }

    /// Bytes of data.
    public static long length(MemorySegment sqe, long at) {
        return LittleEndian.u32(sqe, at + TL);
    }
}
