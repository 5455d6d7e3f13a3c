package io.spindrift.nvme.spec.log;

/// Log Page Identifiers (base specification 2.0, 5.16.1).
public final class Lid {
    public static final int SUPPORTED_LOG_PAGES = 0x00;
    /// [ErrorLogEntry]s.
    public static final int ERROR_INFORMATION = 0x01;
    /// [SmartLog].
    public static final int SMART = 0x02;
    /// [FirmwareSlotLog].
    public static final int FIRMWARE_SLOT = 0x03;
    /// [io.spindrift.nvme.spec.identify.NamespaceList].
    public static final int CHANGED_NAMESPACES = 0x04;
    /// [CommandEffectsLog].
    public static final int COMMANDS_SUPPORTED_AND_EFFECTS = 0x05;
    public static final int DEVICE_SELF_TEST = 0x06;
    public static final int TELEMETRY_HOST_INITIATED = 0x07;
    public static final int TELEMETRY_CONTROLLER_INITIATED = 0x08;
    public static final int ENDURANCE_GROUP = 0x09;
    public static final int PREDICTABLE_LATENCY_PER_NVM_SET = 0x0a;
    public static final int PREDICTABLE_LATENCY_EVENT_AGGREGATE = 0x0b;
    /// [AnaLog].
    public static final int ANA = 0x0c;
    public static final int PERSISTENT_EVENT = 0x0d;
    public static final int LBA_STATUS = 0x0e;
    public static final int ENDURANCE_GROUP_EVENT_AGGREGATE = 0x0f;
    public static final int MEDIA_UNIT_STATUS = 0x10;
    public static final int SUPPORTED_CAPACITY_CONFIGURATIONS = 0x11;
    public static final int FEATURES_SUPPORTED_AND_EFFECTS = 0x12;
    public static final int NVME_MI_COMMANDS_SUPPORTED_AND_EFFECTS = 0x13;
    public static final int LOCKDOWN = 0x14;
    public static final int BOOT_PARTITION = 0x15;
    public static final int ROTATIONAL_MEDIA = 0x16;
    /// [io.spindrift.nvme.spec.fabrics.DiscoveryLog].
    public static final int DISCOVERY = 0x70;
    /// [ReservationNotificationLog].
    public static final int RESERVATION_NOTIFICATION = 0x80;
    public static final int SANITIZE_STATUS = 0x81;

    private Lid() {}
}
