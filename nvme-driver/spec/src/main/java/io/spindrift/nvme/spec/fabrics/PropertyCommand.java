package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Property Get and Property Set: a controller's properties over Fabrics (base specification 2.0, 6.5 and 6.6). Get
/// returns the value in dwords 0 and 1 of the completion. Offsets are those of
/// [io.spindrift.nvme.spec.ControllerProperty].
public final class PropertyCommand {
    /// Attributes: size in bits 2:0.
    public static final int ATTRIB = 40;
    /// Offset of the property.
    public static final int OFST = 44;
    /// Value, 8 bytes, of Property Set.
    public static final int VALUE = 48;

    public static final int SIZE_4 = 0;
    public static final int SIZE_8 = 1;

    private PropertyCommand() {}

    /// Property Get of 4 or 8 bytes.
    public static void get(MemorySegment sqe, long at, int cid, int offset, int bytes) {
        FabricsCommand.begin(sqe, at, Fctype.PROPERTY_GET, cid);
        set(sqe, at, offset, bytes);
    }

    /// Property Set of 4 or 8 bytes.
    public static void set(MemorySegment sqe, long at, int cid, int offset, int bytes, long value) {
        FabricsCommand.begin(sqe, at, Fctype.PROPERTY_SET, cid);
        set(sqe, at, offset, bytes);
        LittleEndian.u64(sqe, at + VALUE, value);
    }

    private static void set(MemorySegment sqe, long at, int offset, int bytes) {
        LittleEndian.u8(sqe, at + ATTRIB, bytes == 8 ? SIZE_8 : SIZE_4);
        LittleEndian.u32(sqe, at + OFST, offset);
    }

    /// Bytes of the property: 4, 8, or 0 if the size is reserved.
    public static int bytes(MemorySegment sqe, long at) {
        return switch (LittleEndian.u8(sqe, at + ATTRIB) & 7) {
            case SIZE_4 -> 4;
            case SIZE_8 -> 8;
            default -> 0;
        };
    }

    /// Offset of the property.
    public static long ofst(MemorySegment sqe, long at) {
        return LittleEndian.u32(sqe, at + OFST);
    }

    /// Value of Property Set; of a property of 4 bytes the low half counts.
    public static long value(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + VALUE);
    }
}
