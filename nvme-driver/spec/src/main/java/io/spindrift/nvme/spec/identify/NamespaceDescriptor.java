package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Eui64;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Nguid;
import io.spindrift.nvme.spec.WireUuid;
import java.lang.foreign.MemorySegment;
import java.util.UUID;

/// A Namespace Identification Descriptor: 4 bytes and the identifier; 4,096 bytes hold as many as there are, and zeroes
/// (base specification 2.0, 5.17.2.3).
///
/// A `put` writes one descriptor and returns where the next begins.
public final class NamespaceDescriptor {
    /// Bytes before the identifier.
    public static final int HEADER_SIZE = 4;

    /// Namespace Identifier Type; 0 ends the list.
    public static final int NIDT = 0;
    /// Namespace Identifier Length.
    public static final int NIDL = 1;
    /// Namespace Identifier.
    public static final int NID = 4;

    public static final int NIDT_EUI64 = 1;
    public static final int NIDT_NGUID = 2;
    public static final int NIDT_UUID = 3;
    public static final int NIDT_CSI = 4;

    private NamespaceDescriptor() {}

    public static int nidt(MemorySegment list, long at) {
        return LittleEndian.u8(list, at + NIDT);
    }

    /// Bytes of the identifier. From a peer it may be anything: check it before [#next] is used.
    public static int nidl(MemorySegment list, long at) {
        return LittleEndian.u8(list, at + NIDL);
    }

    /// Bytes that the identifier of a type has, 0 if there is no such type.
    public static int nidl(int nidt) {
        return switch (nidt) {
            case NIDT_EUI64 -> Eui64.SIZE;
            case NIDT_NGUID -> Nguid.SIZE;
            case NIDT_UUID -> WireUuid.SIZE;
            case NIDT_CSI -> 1;
            default -> 0;
        };
    }

    /// Where the next descriptor begins.
    public static long next(MemorySegment list, long at) {
        return at + HEADER_SIZE + nidl(list, at);
    }

    public static long put(MemorySegment list, long at, Eui64 eui64) {
        eui64.write(list, at + NID);
        return header(list, at, NIDT_EUI64);
    }

    public static long put(MemorySegment list, long at, Nguid nguid) {
        nguid.write(list, at + NID);
        return header(list, at, NIDT_NGUID);
    }

    public static long put(MemorySegment list, long at, UUID uuid) {
        WireUuid.write(list, at + NID, uuid);
        return header(list, at, NIDT_UUID);
    }

    /// The I/O command set of the namespace, see [io.spindrift.nvme.spec.Csi].
    public static long putCsi(MemorySegment list, long at, int csi) {
        LittleEndian.u8(list, at + NID, csi);
        return header(list, at, NIDT_CSI);
    }

    private static long header(MemorySegment list, long at, int nidt) {
        LittleEndian.u8(list, at + NIDT, nidt);
        LittleEndian.u8(list, at + NIDL, nidl(nidt));
        LittleEndian.u16(list, at + 2, 0);
        return next(list, at);
    }
}
