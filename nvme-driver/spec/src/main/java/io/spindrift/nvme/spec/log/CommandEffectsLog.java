package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.Array;

/// The Commands Supported and Effects log page, 4,096 bytes: a dword for each opcode (base specification 2.0, 5.16.1.6,
/// figures 210 and 211).
public final class CommandEffectsLog {
    public static final int SIZE = 4096;

    /// Command Supported.
    public static final int CSUPP = 1;
    /// Logical Block Content Change.
    public static final int LBCC = 1 << 1;
    /// Namespace Capability Change.
    public static final int NCC = 1 << 2;
    /// Namespace Inventory Change.
    public static final int NIC = 1 << 3;
    /// Controller Capability Change.
    public static final int CCC = 1 << 4;
    /// Command Submission and Execution: no other command for the same namespace.
    public static final int CSE_NAMESPACE = 1 << 16;
    /// Command Submission and Execution: no other command for any namespace.
    public static final int CSE_ALL = 2 << 16;
    public static final int CSE_MASK = 7 << 16;
    /// UUID Selection Supported.
    public static final int USS = 1 << 19;

    /// Admin commands, by opcode.
    public static final Array ACS = new Array(0, 4, 256);
    /// I/O commands, by opcode.
    public static final Array IOCS = new Array(1024, 4, 256);

    private CommandEffectsLog() {}
}
