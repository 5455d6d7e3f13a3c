package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;

/// A Scatter Gather List descriptor, 16 bytes (base specification 2.0, 4.1.2.1).
///
/// ```
///                   byte 0            8        11      15
///   unkeyed             | address    | length | 0     | type, subtype |
///   keyed               | address    | length  | key  | type, subtype |   (24 bits of length)
/// ```
public final class SglDescriptor {
    public static final int SIZE = 16;

    public static final int ADDRESS = 0;
    /// 32 bits; 24 in a keyed data block.
    public static final int LENGTH = 8;
    public static final int KEY = 11;
    /// Type in bits 7:4, subtype in bits 3:0.
    public static final int IDENTIFIER = 15;

    public static final int TYPE_DATA_BLOCK = 0x0;
    public static final int TYPE_BIT_BUCKET = 0x1;
    public static final int TYPE_SEGMENT = 0x2;
    public static final int TYPE_LAST_SEGMENT = 0x3;
    public static final int TYPE_KEYED_DATA_BLOCK = 0x4;
    public static final int TYPE_TRANSPORT_DATA_BLOCK = 0x5;

    public static final int SUBTYPE_ADDRESS = 0x0;
    /// The address is an offset into the capsule, after the command.
    public static final int SUBTYPE_OFFSET = 0x1;
    /// What it means is the transport's; NVMe/TCP: the data comes in data PDUs.
    public static final int SUBTYPE_TRANSPORT = 0xa;
    /// NVMe/RDMA: the key is invalidated when the command completes.
    public static final int SUBTYPE_INVALIDATE_KEY = 0xf;

    /// The largest length of a keyed data block.
    public static final int MAX_KEYED_LENGTH = 0xff_ffff;

    private SglDescriptor() {}

    /// Data in host memory.
    public static void dataBlock(MemorySegment sgl, long at, long address, long length) {
        write(sgl, at, address, length, TYPE_DATA_BLOCK, SUBTYPE_ADDRESS);
    }

    /// Data in the command capsule, `offset` bytes from the in-capsule data offset (ICDOFF).
    public static void inCapsule(MemorySegment sgl, long at, long offset, long length) {
        write(sgl, at, offset, length, TYPE_DATA_BLOCK, SUBTYPE_OFFSET);
    }

    /// Data that the transport moves: what NVMe/TCP uses for all data outside capsules.
    public static void transportDataBlock(MemorySegment sgl, long at, long length) {
        write(sgl, at, 0, length, TYPE_TRANSPORT_DATA_BLOCK, SUBTYPE_TRANSPORT);
    }

    /// The descriptors that follow in memory at `address`, `length` bytes of them; not the last such segment.
    public static void segment(MemorySegment sgl, long at, long address, long length) {
        write(sgl, at, address, length, TYPE_SEGMENT, SUBTYPE_ADDRESS);
    }

    /// As [#segment], the last one.
    public static void lastSegment(MemorySegment sgl, long at, long address, long length) {
        write(sgl, at, address, length, TYPE_LAST_SEGMENT, SUBTYPE_ADDRESS);
    }

    /// Data of a read that the host does not want.
    public static void bitBucket(MemorySegment sgl, long at, long length) {
        write(sgl, at, 0, length, TYPE_BIT_BUCKET, SUBTYPE_ADDRESS);
    }

    /// Data in remote memory; `subtype` is [#SUBTYPE_ADDRESS] or [#SUBTYPE_INVALIDATE_KEY], `length` at most
    /// [#MAX_KEYED_LENGTH].
    public static void keyedDataBlock(MemorySegment sgl, long at, long address, int length, int key, int subtype) {
        LittleEndian.u64(sgl, at + ADDRESS, address);
        LittleEndian.u24(sgl, at + LENGTH, length);
        LittleEndian.dword(sgl, at + KEY, key);
        LittleEndian.u8(sgl, at + IDENTIFIER, TYPE_KEYED_DATA_BLOCK << 4 | subtype);
    }

    private static void write(MemorySegment sgl, long at, long address, long length, int type, int subtype) {
        LittleEndian.u64(sgl, at + ADDRESS, address);
        LittleEndian.u64(sgl, at + LENGTH, length & 0xffff_ffffL | (long) (type << 4 | subtype) << 56);
    }

    public static int type(MemorySegment sgl, long at) {
        return LittleEndian.u8(sgl, at + IDENTIFIER) >>> 4;
    }

    public static int subtype(MemorySegment sgl, long at) {
        return LittleEndian.u8(sgl, at + IDENTIFIER) & 0xf;
    }

    public static long address(MemorySegment sgl, long at) {
        return LittleEndian.u64(sgl, at + ADDRESS);
    }

    /// Bytes; not of a keyed data block.
    public static long length(MemorySegment sgl, long at) {
        return LittleEndian.u32(sgl, at + LENGTH);
    }

    public static int keyedLength(MemorySegment sgl, long at) {
        return LittleEndian.u24(sgl, at + LENGTH);
    }

    public static int key(MemorySegment sgl, long at) {
        return LittleEndian.dword(sgl, at + KEY);
    }
}
