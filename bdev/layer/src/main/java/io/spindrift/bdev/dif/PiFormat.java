package io.spindrift.bdev.dif;

import java.util.Optional;

/// How a block's protection information is laid out: the width of its guard, and so of everything else
/// (NVM Command Set specification, "Protection Information Formats").
///
/// All fields are big-endian. The storage tag, whose minimum width is 0, 16 and 0 bits, is written as zero and not
/// checked.
/// ```
///  GUARD_16 (8 bytes)    guard 2 | application tag 2 | reference tag 4
///  GUARD_32 (16 bytes)   guard 4 | application tag 2 | storage tag 2 | reference tag 8
///  GUARD_64 (16 bytes)   guard 8 | application tag 2 | reference tag 6
/// ```
public enum PiFormat {
    /// CRC-16 of T10 (polynomial 8BB7h).
    GUARD_16(0, 8, -1L >>> 32),
    /// CRC-32C (Castagnoli).
    GUARD_32(1, 16, -1L),
    /// CRC-64 of NVMe (polynomial AD93D23594C93659h).
    GUARD_64(2, 16, -1L >>> 16);

    private final int code;
    private final int tupleBytes;
    private final long referenceTagMask;

    PiFormat(int code, int tupleBytes, long referenceTagMask) {
        this.code = code;
        this.tupleBytes = tupleBytes;
        this.referenceTagMask = referenceTagMask;
    }

    /// The number that NVMe's Protection Information Format field and the parameter `dif_pi_format` use.
    public int code() {
        return code;
    }

    /// Size of the protection information of one block, in bytes.
    public int tupleBytes() {
        return tupleBytes;
    }

    /// The bits of a reference tag that are stored.
    public long referenceTagMask() {
        return referenceTagMask;
    }

    /// The format with this [#code()], if there is one.
    public static Optional<PiFormat> ofCode(int code) {
        return switch (code) {
            case 0 -> Optional.of(GUARD_16);
            case 1 -> Optional.of(GUARD_32);
            case 2 -> Optional.of(GUARD_64);
            default -> Optional.empty();
        };
    }
}
