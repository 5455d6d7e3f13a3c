package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U8;

/// A Power State Descriptor of the Identify Controller data structure, 32 bytes (base specification 2.0, 5.17.2.1).
public final class PowerStateDescriptor {
    public static final int SIZE = 32;

    /// Maximum Power, 0.01 W, or 0.0001 W if bit 0 of [#FLAGS] is set.
    public static final U16 MP = new U16(0);
    /// Max Power Scale in bit 0, Non-Operational State in bit 1.
    public static final U8 FLAGS = new U8(3);
    /// Entry Latency, microseconds.
    public static final U32 ENLAT = new U32(4);
    /// Exit Latency, microseconds.
    public static final U32 EXLAT = new U32(8);
    /// Relative Read Throughput.
    public static final U8 RRT = new U8(12);
    /// Relative Read Latency.
    public static final U8 RRL = new U8(13);
    /// Relative Write Throughput.
    public static final U8 RWT = new U8(14);
    /// Relative Write Latency.
    public static final U8 RWL = new U8(15);
    /// Idle Power.
    public static final U16 IDLP = new U16(16);
    /// Idle Power Scale, bits 7:6.
    public static final U8 IPS = new U8(18);
    /// Active Power.
    public static final U16 ACTP = new U16(20);
    /// Active Power Workload in bits 2:0, Active Power Scale in bits 7:6.
    public static final U8 APWS = new U8(22);

    private PowerStateDescriptor() {}
}
