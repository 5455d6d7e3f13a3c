package io.spindrift.bdev.dif;

import java.util.Optional;

/// What a block's tags mean (NVM Command Set specification, "End-to-end Data Protection").
public enum DifType {
    /// No protection information.
    NONE(0),
    /// The reference tag is the low bits of the block's address, and increases by one a block.
    TYPE_1(1),
    /// The reference tag starts at the request's value, and increases by one a block.
    TYPE_2(2),
    /// The reference tag belongs to the application, and is not checked.
    TYPE_3(3);

    private final int code;

    DifType(int code) {
        this.code = code;
    }

    /// The number that NVMe's Protection Information Type field and the parameter `dif_type` use.
    public int code() {
        return code;
    }

    /// The type with this [#code()], if there is one.
    public static Optional<DifType> ofCode(int code) {
        return switch (code) {
            case 0 -> Optional.of(NONE);
            case 1 -> Optional.of(TYPE_1);
            case 2 -> Optional.of(TYPE_2);
            case 3 -> Optional.of(TYPE_3);
            default -> Optional.empty();
        };
    }
}
