package io.spindrift.nvme.spec;

/// Controller Capabilities, property CAP (base specification 2.0, 3.1.3.1), a `long`.
public final class Cap {
    /// Contiguous Queues Required.
    public static final long CQR = 1L << 16;
    /// Arbitration Mechanism Supported: weighted round robin with an urgent class.
    public static final long AMS_WEIGHTED_ROUND_ROBIN = 1L << 17;
    /// Arbitration Mechanism Supported: a vendor's own.
    public static final long AMS_VENDOR_SPECIFIC = 1L << 18;
    /// NVM Subsystem Reset Supported.
    public static final long NSSRS = 1L << 36;
    /// Command Sets Supported: the NVM command set.
    public static final long CSS_NVM = 1L << 37;
    /// Command Sets Supported: one or more I/O command sets, which Identify tells.
    public static final long CSS_IO_COMMAND_SETS = 1L << 43;
    /// Command Sets Supported: none but admin commands.
    public static final long CSS_ADMIN_ONLY = 1L << 44;
    /// Boot Partition Support.
    public static final long BPS = 1L << 45;
    /// Persistent Memory Region Supported.
    public static final long PMRS = 1L << 56;
    /// Controller Memory Buffer Supported.
    public static final long CMBS = 1L << 57;
    /// NVM Subsystem Shutdown Supported.
    public static final long NSSS = 1L << 58;
    /// Controller Ready With Media Support: CRTO counts, not TO.
    public static final long CRWMS = 1L << 59;
    /// Controller Ready Independent of Media Support.
    public static final long CRIMS = 1L << 60;

    private Cap() {}

    /// The numbers; flags are or'ed to it. `mqes` is 0's based, `to` in 500 ms, `dstrd` in 2^(2 + dstrd) bytes,
    /// `mpsmin` and `mpsmax` in 2^(12 + n) bytes.
    public static long of(int mqes, int to, int dstrd, int mpsmin, int mpsmax) {
        return mqes & 0xffff | (to & 0xffL) << 24 | (dstrd & 0xfL) << 32 | (mpsmin & 0xfL) << 48
                | (mpsmax & 0xfL) << 52;
    }

    /// Maximum Queue Entries Supported, 0's based: 127 for 128 entries.
    public static int mqes(long cap) {
        return (int) cap & 0xffff;
    }

    /// Timeout of CSTS.RDY after CC.EN changed, in units of 500 ms.
    public static int to(long cap) {
        return (int) (cap >>> 24) & 0xff;
    }

    /// Doorbell Stride: 2^(2 + DSTRD) bytes.
    public static int dstrd(long cap) {
        return (int) (cap >>> 32) & 0xf;
    }

    /// Command Sets Supported, eight bits.
    public static int css(long cap) {
        return (int) (cap >>> 37) & 0xff;
    }

    /// Memory Page Size Minimum: 2^(12 + MPSMIN) bytes.
    public static int mpsmin(long cap) {
        return (int) (cap >>> 48) & 0xf;
    }

    /// Memory Page Size Maximum: 2^(12 + MPSMAX) bytes.
    public static int mpsmax(long cap) {
        return (int) (cap >>> 52) & 0xf;
    }
}
