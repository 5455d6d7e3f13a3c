package io.spindrift.nvme.spec.feature;

/// Feature Identifiers (base specification 2.0, 5.27.1).
public final class Fid {
    public static final int ARBITRATION = 0x01;
    public static final int POWER_MANAGEMENT = 0x02;
    public static final int LBA_RANGE_TYPE = 0x03;
    public static final int TEMPERATURE_THRESHOLD = 0x04;
    public static final int ERROR_RECOVERY = 0x05;
    public static final int VOLATILE_WRITE_CACHE = 0x06;
    public static final int NUMBER_OF_QUEUES = 0x07;
    public static final int INTERRUPT_COALESCING = 0x08;
    public static final int INTERRUPT_VECTOR_CONFIGURATION = 0x09;
    public static final int WRITE_ATOMICITY_NORMAL = 0x0a;
    public static final int ASYNC_EVENT_CONFIGURATION = 0x0b;
    public static final int AUTONOMOUS_POWER_STATE_TRANSITION = 0x0c;
    public static final int HOST_MEMORY_BUFFER = 0x0d;
    public static final int TIMESTAMP = 0x0e;
    public static final int KEEP_ALIVE_TIMER = 0x0f;
    public static final int HOST_CONTROLLED_THERMAL_MANAGEMENT = 0x10;
    public static final int NON_OPERATIONAL_POWER_STATE_CONFIG = 0x11;
    public static final int READ_RECOVERY_LEVEL_CONFIG = 0x12;
    public static final int HOST_BEHAVIOR_SUPPORT = 0x16;
    public static final int SANITIZE_CONFIG = 0x17;
    public static final int IO_COMMAND_SET_PROFILE = 0x19;
    public static final int SOFTWARE_PROGRESS_MARKER = 0x80;
    public static final int HOST_IDENTIFIER = 0x81;
    public static final int RESERVATION_NOTIFICATION_MASK = 0x82;
    public static final int RESERVATION_PERSISTENCE = 0x83;
    public static final int NAMESPACE_WRITE_PROTECTION_CONFIG = 0x84;

    private Fid() {}
}
