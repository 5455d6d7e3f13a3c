package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// A source range of Copy (NVM command set 1.0, 3.2.2): format 0 with 32 bytes, for 16-bit guards, and format 1 with
/// 40, for those of 32 and 64 bits. They differ in the protection information; a format is 0 or 1.
public final class CopyDescriptor {
    public static final int FORMAT_0_SIZE = 32;
    public static final int FORMAT_1_SIZE = 40;

    public static final int SLBA = 8;
    public static final int NLB = 16;

    /// Format 0: Expected Initial Logical Block Reference Tag, 4 bytes.
    public static final int FORMAT_0_EILBRT = 24;
    /// Format 0: Expected Logical Block Application Tag.
    public static final int FORMAT_0_ELBAT = 28;
    /// Format 0: Expected Logical Block Application Tag Mask.
    public static final int FORMAT_0_ELBATM = 30;

    /// Format 1: Expected Logical Block Tags, storage and reference, 10 bytes.
    public static final int FORMAT_1_ELBT = 26;
    public static final int FORMAT_1_ELBAT = 36;
    public static final int FORMAT_1_ELBATM = 38;

    private CopyDescriptor() {}

    /// Bytes of a descriptor of a format, 0 if there is no such format.
    public static int size(int format) {
        return switch (format) {
            case 0 -> FORMAT_0_SIZE;
            case 1 -> FORMAT_1_SIZE;
            default -> 0;
        };
    }

    /// Writes a descriptor without protection information; `blocks` is not 0's based, 1 to 65,536.
    public static void write(MemorySegment descriptors, long at, int format, long slba, int blocks) {
        LittleEndian.clear(descriptors, at, size(format));
        LittleEndian.u64(descriptors, at + SLBA, slba);
        LittleEndian.u16(descriptors, at + NLB, blocks - 1);
    }

    public static long slba(MemorySegment descriptors, long at) {
        return LittleEndian.u64(descriptors, at + SLBA);
    }

    /// Number of Logical Blocks, 1 to 65,536: NLB + 1.
    public static int blocks(MemorySegment descriptors, long at) {
        return LittleEndian.u16(descriptors, at + NLB) + 1;
    }

    /// Expected Initial Logical Block Reference Tag of a format 0 descriptor.
    public static int eilbrt(MemorySegment descriptors, long at) {
        return LittleEndian.dword(descriptors, at + FORMAT_0_EILBRT);
    }

    public static int elbat(MemorySegment descriptors, long at, int format) {
        return LittleEndian.u16(descriptors, at + (format == 0 ? FORMAT_0_ELBAT : FORMAT_1_ELBAT));
    }

    public static int elbatm(MemorySegment descriptors, long at, int format) {
        return LittleEndian.u16(descriptors, at + (format == 0 ? FORMAT_0_ELBATM : FORMAT_1_ELBATM));
    }
}
