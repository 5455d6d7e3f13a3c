package io.spindrift.nvme.spec;

/// Controller Ready Timeouts, property CRTO (base specification 2.0, 3.1.3.21), in units of 500 ms.
public final class Crto {
    private Crto() {}

    public static int of(int crwmt, int crimt) {
        return crwmt & 0xffff | crimt << 16;
    }

    /// Controller Ready With Media Timeout.
    public static int crwmt(int crto) {
        return crto & 0xffff;
    }

    /// Controller Ready Independent of Media Timeout.
    public static int crimt(int crto) {
        return crto >>> 16;
    }
}
