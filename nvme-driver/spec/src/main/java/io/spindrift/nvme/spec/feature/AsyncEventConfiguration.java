package io.spindrift.nvme.spec.feature;

/// Dword 11 of the feature Asynchronous Event Configuration: the events that the host wants (base specification 2.0,
/// 5.27.1).
public final class AsyncEventConfiguration {
    /// SMART / Health critical warnings, bits 4:0 as in `log.SmartLog`.
    public static final int SMART_AVAILABLE_SPARE = 1;
    public static final int SMART_TEMPERATURE = 1 << 1;
    public static final int SMART_RELIABILITY = 1 << 2;
    public static final int SMART_READ_ONLY = 1 << 3;
    public static final int SMART_VOLATILE_BACKUP = 1 << 4;
    /// Namespace Attribute Notices.
    public static final int NAMESPACE_ATTRIBUTE = 1 << 8;
    public static final int FIRMWARE_ACTIVATION = 1 << 9;
    public static final int TELEMETRY_LOG = 1 << 10;
    public static final int ANA_CHANGE = 1 << 11;
    public static final int PREDICTABLE_LATENCY = 1 << 12;
    public static final int LBA_STATUS = 1 << 13;
    public static final int ENDURANCE_GROUP = 1 << 14;
    public static final int DISCOVERY_LOG_CHANGE = 1 << 31;

    private AsyncEventConfiguration() {}
}
