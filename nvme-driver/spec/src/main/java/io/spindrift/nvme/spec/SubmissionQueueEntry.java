package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;

/// The common command format, 64 bytes (base specification 2.0, 3.3.3.1).
///
/// ```
///    3              2 1              0   byte
///   +----------------+----+----+------+
///   | CID            |PSDT|FUSE| OPC  |  0
///   | NSID                            |  4
///   | CDW2, CDW3                      |  8
///   | MPTR                            | 16
///   | DPTR: PRP1, PRP2 or SGL1        | 24
///   | CDW10 ... CDW15                 | 40
///   +---------------------------------+
/// ```
public final class SubmissionQueueEntry {
    public static final int SIZE = 64;

    public static final int OPC = 0;
    /// FUSE in bits 1:0, PSDT in bits 7:6.
    public static final int FLAGS = 1;
    public static final int CID = 2;
    public static final int NSID = 4;
    public static final int CDW2 = 8;
    public static final int CDW3 = 12;
    public static final int MPTR = 16;
    /// The data pointer: two PRP entries, or one [SglDescriptor].
    public static final int DPTR = 24;
    public static final int PRP1 = 24;
    public static final int PRP2 = 32;
    public static final int CDW10 = 40;
    public static final int CDW11 = 44;
    public static final int CDW12 = 48;
    public static final int CDW13 = 52;
    public static final int CDW14 = 56;
    public static final int CDW15 = 60;

    /// A command by itself.
    public static final int FUSE_NONE = 0;
    public static final int FUSE_FIRST = 1;
    public static final int FUSE_SECOND = 2;

    public static final int PSDT_PRP = 0;
    /// DPTR is an SGL, MPTR the address of one contiguous buffer. Fabrics commands always use this.
    public static final int PSDT_SGL = 1;
    /// DPTR is an SGL, MPTR the address of an SGL segment with one descriptor.
    public static final int PSDT_SGL_MPTR_SGL = 2;

    private SubmissionQueueEntry() {}

    /// Clears the entry and sets the fields that every command has.
    public static void begin(MemorySegment sqe, long at, int opc, int cid, long nsid) {
        LittleEndian.clear(sqe, at, SIZE);
        LittleEndian.u8(sqe, at + OPC, opc);
        LittleEndian.u16(sqe, at + CID, cid);
        LittleEndian.u32(sqe, at + NSID, nsid);
    }

    /// Opcode.
    public static int opc(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + OPC);
    }

    /// Fused Operation.
    public static int fuse(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + FLAGS) & 3;
    }

    public static void fuse(MemorySegment sqe, long at, int fuse) {
        LittleEndian.u8(sqe, at + FLAGS, LittleEndian.u8(sqe, at + FLAGS) & ~3 | fuse & 3);
    }

    /// PRP or SGL for Data Transfer.
    public static int psdt(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + FLAGS) >>> 6;
    }

    public static void psdt(MemorySegment sqe, long at, int psdt) {
        LittleEndian.u8(sqe, at + FLAGS, LittleEndian.u8(sqe, at + FLAGS) & 0x3f | psdt << 6);
    }

    /// Command Identifier. All 16 bits belong to the sender: it is returned, never an index.
    public static int cid(MemorySegment sqe, long at) {
        return LittleEndian.u16(sqe, at + CID);
    }

    public static void cid(MemorySegment sqe, long at, int cid) {
        LittleEndian.u16(sqe, at + CID, cid);
    }

    /// Namespace Identifier, see [Nsid].
    public static long nsid(MemorySegment sqe, long at) {
        return LittleEndian.u32(sqe, at + NSID);
    }

    public static void nsid(MemorySegment sqe, long at, long nsid) {
        LittleEndian.u32(sqe, at + NSID, nsid);
    }

    public static int cdw2(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW2);
    }

    public static void cdw2(MemorySegment sqe, long at, int cdw2) {
        LittleEndian.dword(sqe, at + CDW2, cdw2);
    }

    public static int cdw3(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW3);
    }

    public static void cdw3(MemorySegment sqe, long at, int cdw3) {
        LittleEndian.dword(sqe, at + CDW3, cdw3);
    }

    /// Metadata Pointer.
    public static long mptr(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + MPTR);
    }

    public static void mptr(MemorySegment sqe, long at, long mptr) {
        LittleEndian.u64(sqe, at + MPTR, mptr);
    }

    public static long prp1(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + PRP1);
    }

    public static void prp1(MemorySegment sqe, long at, long prp1) {
        LittleEndian.u64(sqe, at + PRP1, prp1);
    }

    public static long prp2(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + PRP2);
    }

    public static void prp2(MemorySegment sqe, long at, long prp2) {
        LittleEndian.u64(sqe, at + PRP2, prp2);
    }

    public static int cdw10(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW10);
    }

    public static void cdw10(MemorySegment sqe, long at, int cdw10) {
        LittleEndian.dword(sqe, at + CDW10, cdw10);
    }

    public static int cdw11(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW11);
    }

    public static void cdw11(MemorySegment sqe, long at, int cdw11) {
        LittleEndian.dword(sqe, at + CDW11, cdw11);
    }

    public static int cdw12(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW12);
    }

    public static void cdw12(MemorySegment sqe, long at, int cdw12) {
        LittleEndian.dword(sqe, at + CDW12, cdw12);
    }

    public static int cdw13(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW13);
    }

    public static void cdw13(MemorySegment sqe, long at, int cdw13) {
        LittleEndian.dword(sqe, at + CDW13, cdw13);
    }

    public static int cdw14(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW14);
    }

    public static void cdw14(MemorySegment sqe, long at, int cdw14) {
        LittleEndian.dword(sqe, at + CDW14, cdw14);
    }

    public static int cdw15(MemorySegment sqe, long at) {
        return LittleEndian.dword(sqe, at + CDW15);
    }

    public static void cdw15(MemorySegment sqe, long at, int cdw15) {
        LittleEndian.dword(sqe, at + CDW15, cdw15);
    }
}
