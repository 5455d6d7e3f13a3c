package io.spindrift.nvmf;

/// How well a group of namespaces can be reached through a listener (NVM Express Base 2.0, figure 214).
public enum AnaState {
    OPTIMIZED(0x1), NON_OPTIMIZED(0x2), INACCESSIBLE(0x3);

    private final int code;

    AnaState(int code) {
        this.code = code;
    }

    /// The value on the wire.
    public int code() {
        return code;
    }
}
