package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.Utf8;

/// The data of Connect, 1,024 bytes (base specification 2.0, 6.3).
public final class ConnectData {
    public static final int SIZE = 1024;
    /// [#CNTLID]: any free controller.
    public static final int CNTLID_DYNAMIC = 0xffff;
    /// [#CNTLID]: any free static controller.
    public static final int CNTLID_STATIC = 0xfffe;

    /// Host Identifier.
    public static final Bytes HOSTID = new Bytes(0, 16);
    /// Controller ID: of an I/O queue that of its admin queue's controller.
    public static final U16 CNTLID = new U16(16);
    /// NVM Subsystem NVMe Qualified Name.
    public static final Utf8 SUBNQN = new Utf8(256, 256);
    /// Host NVMe Qualified Name.
    public static final Utf8 HOSTNQN = new Utf8(512, 256);

    private ConnectData() {}
}
