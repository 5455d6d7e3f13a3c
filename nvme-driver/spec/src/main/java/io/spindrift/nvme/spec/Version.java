package io.spindrift.nvme.spec;

/// A version of the specification: property VS and field VER (base specification 2.0, 3.1.3.2).
public final class Version {
    public static final int NVME_1_3 = 0x0001_0300;
    public static final int NVME_1_4 = 0x0001_0400;
    public static final int NVME_2_0 = 0x0002_0000;

    private Version() {}

    public static int of(int major, int minor, int tertiary) {
        return major << 16 | (minor & 0xff) << 8 | tertiary & 0xff;
    }

    /// Major Version Number.
    public static int mjr(int version) {
        return version >>> 16;
    }

    /// Minor Version Number.
    public static int mnr(int version) {
        return version >>> 8 & 0xff;
    }

    /// Tertiary Version Number.
    public static int ter(int version) {
        return version & 0xff;
    }

    /// `1.3`, or `1.2.1` with a tertiary number.
    public static String text(int version) {
        return mjr(version) + "." + mnr(version) + (ter(version) == 0 ? "" : "." + ter(version));
    }
}
