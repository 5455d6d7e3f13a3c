package io.spindrift.nvme.spec.fabrics;

/// Transport types (base specification 2.0, 5.16.1, LID 70h).
public final class Trtype {
    /// In the error log only.
    public static final int PCIE = 0x0;
    public static final int RDMA = 0x1;
    public static final int FC = 0x2;
    public static final int TCP = 0x3;
    public static final int INTRA_HOST = 0xfe;

    private Trtype() {}
}
