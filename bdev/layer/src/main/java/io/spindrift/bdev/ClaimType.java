package io.spindrift.bdev;

/// How a module holds a device, which can then be opened anew for reading only. Whatever its type, one claim excludes
/// all others ([BdevRegistry#claim]).
public enum ClaimType {
    NONE("not_claimed"),
    /// One module writes; others may read.
    EXCLUSIVE_WRITE("exclusive_write"),
    /// One writer, many readers, all by claim.
    READ_MANY_WRITE_ONE("read_many_write_one"),
    /// Many readers and no writer.
    READ_MANY_WRITE_NONE("read_many_write_none"),
    /// Many writers that share a key.
    READ_MANY_WRITE_SHARED("read_many_write_shared");

    private final String text;

    ClaimType(String text) {
        this.text = text;
    }

    /// The name in RPC results.
    public String text() {
        return text;
    }
}
