package io.spindrift.nvme.spec;

/// Admin Queue Attributes, property AQA (base specification 2.0, 3.1.3.8). Sizes are 0's based: 31 for 32 entries.
public final class Aqa {
    private Aqa() {}

    public static int of(int asqs, int acqs) {
        return asqs & 0xfff | (acqs & 0xfff) << 16;
    }

    /// Admin Submission Queue Size, 0's based.
    public static int asqs(int aqa) {
        return aqa & 0xfff;
    }

    /// Admin Completion Queue Size, 0's based.
    public static int acqs(int aqa) {
        return aqa >>> 16 & 0xfff;
    }
}
