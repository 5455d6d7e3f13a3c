package io.spindrift.bdev;

/// How a module holds a device, which can then be opened anew for reading only. Whatever its type, one claim excludes
/// all others ([BdevRegistry#claim]).
public enum ClaimType {
    NONE("not_claimed"),
    /// One module writes; others may read.
    EXCLUSIVE_WRITE("exclusive_write");

    private final String text;

    ClaimType(String text) {
        this.text = text;
    }

    /// The name in RPC results.
    public String text() {
        return text;
    }
}
