package io.spindrift.nvme.spec.feature;

import io.spindrift.nvme.spec.Field.U8;

/// The data of the feature Host Behavior Support, 512 bytes (base specification 2.0, 5.27.1).
public final class HostBehaviorSupport {
    public static final int SIZE = 512;

    /// Advanced Command Retry Enable: the host heeds Command Retry Delays.
    public static final U8 ACRE = new U8(0);
    /// Extended Telemetry Data Area 4 Supported.
    public static final U8 ETDAS = new U8(1);
    /// LBA Format Extension Enable.
    public static final U8 LBAFEE = new U8(2);

    private HostBehaviorSupport() {}
}
