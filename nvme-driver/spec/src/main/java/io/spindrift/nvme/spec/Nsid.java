package io.spindrift.nvme.spec;

/// Namespace identifiers (base specification 2.0, 3.2.1).
public final class Nsid {
    /// No namespace is named.
    public static final long NONE = 0;
    /// All namespaces of the controller.
    public static final long BROADCAST = 0xffff_ffffL;
    /// The largest that one namespace can have; the smallest is 1.
    public static final long MAX = 0xffff_fffeL;

    private Nsid() {}
}
