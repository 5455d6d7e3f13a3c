package io.spindrift.nvme.spec;

/// Controller Configuration, property CC (base specification 2.0, 3.1.3.5).
public final class Cc {
    /// Enable.
    public static final int EN = 1;
    /// Controller Ready Independent of Media Enable.
    public static final int CRIME = 1 << 24;

    /// I/O Command Set Selected: the NVM command set.
    public static final int CSS_NVM = 0;
    /// All supported I/O command sets.
    public static final int CSS_ALL = 6;
    /// Admin commands only.
    public static final int CSS_ADMIN_ONLY = 7;

    /// Shutdown Notification: none.
    public static final int SHN_NONE = 0;
    public static final int SHN_NORMAL = 1;
    public static final int SHN_ABRUPT = 2;

    /// IOSQES and IOCQES for entries of 64 and 16 bytes, the only ones there are.
    public static final int ENTRY_SIZES = 6 << 16 | 4 << 20;

    private Cc() {}

    /// A configuration that is not yet enabled, with the usual entry sizes. `mps` is in 2^(12 + mps) bytes.
    public static int of(int css, int mps) {
        return (css & 7) << 4 | (mps & 0xf) << 7 | ENTRY_SIZES;
    }

    public static boolean enabled(int cc) {
        return (cc & EN) != 0;
    }

    /// I/O Command Set Selected.
    public static int css(int cc) {
        return cc >>> 4 & 7;
    }

    /// Memory Page Size.
    public static int mps(int cc) {
        return cc >>> 7 & 0xf;
    }

    /// Arbitration Mechanism Selected: 0 is round robin.
    public static int ams(int cc) {
        return cc >>> 11 & 7;
    }

    /// Shutdown Notification.
    public static int shn(int cc) {
        return cc >>> 14 & 3;
    }

    public static int withShn(int cc, int shn) {
        return cc & ~(3 << 14) | (shn & 3) << 14;
    }

    /// I/O Submission Queue Entry Size: 2^n bytes.
    public static int iosqes(int cc) {
        return cc >>> 16 & 0xf;
    }

    /// I/O Completion Queue Entry Size: 2^n bytes.
    public static int iocqes(int cc) {
        return cc >>> 20 & 0xf;
    }
}
