package io.spindrift.nvme.spec;

/// Asynchronous events: dword 0 of the completion of an Asynchronous Event Request (base specification 2.0, 5.2).
///
/// ```
///   31    24 23    16 15     8 7   3 2   0
///   |      0 |  LID  |  info  |  0  | type |
/// ```
/// Which of them a host wants is in the feature, see `feature.AsyncEventConfiguration`.
public final class AsyncEvent {
    /// Asynchronous Event Type: error status; the Error Information log page tells more.
    public static final int TYPE_ERROR = 0;
    /// SMART / Health status.
    public static final int TYPE_SMART = 1;
    public static final int TYPE_NOTICE = 2;
    /// I/O Command Set specific status.
    public static final int TYPE_IO_COMMAND_SET = 6;
    public static final int TYPE_VENDOR_SPECIFIC = 7;

    /// Asynchronous Event Information of errors: write to an invalid doorbell register.
    public static final int ERROR_INVALID_DOORBELL_REGISTER = 0x00;
    public static final int ERROR_INVALID_DOORBELL_VALUE = 0x01;
    public static final int ERROR_DIAGNOSTIC_FAILURE = 0x02;
    public static final int ERROR_PERSISTENT_INTERNAL = 0x03;
    public static final int ERROR_TRANSIENT_INTERNAL = 0x04;
    public static final int ERROR_FIRMWARE_IMAGE_LOAD = 0x05;

    public static final int SMART_SUBSYSTEM_RELIABILITY = 0x00;
    public static final int SMART_TEMPERATURE_THRESHOLD = 0x01;
    public static final int SMART_SPARE_BELOW_THRESHOLD = 0x02;

    /// Namespace Attribute Changed: the Changed Namespace List tells which.
    public static final int NOTICE_NAMESPACE_CHANGED = 0x00;
    public static final int NOTICE_FIRMWARE_ACTIVATION_STARTING = 0x01;
    public static final int NOTICE_TELEMETRY_LOG_CHANGED = 0x02;
    /// Asymmetric Namespace Access Change.
    public static final int NOTICE_ANA_CHANGE = 0x03;
    /// Discovery Log Page Change.
    public static final int NOTICE_DISCOVERY_LOG_CHANGED = 0xf0;

    /// NVM command set: Reservation Log Page Available.
    public static final int IO_RESERVATION_LOG_AVAILABLE = 0x00;
    public static final int IO_SANITIZE_COMPLETED = 0x01;

    private AsyncEvent() {}

    /// Dword 0; `lid` is the log page whose reading clears the event.
    public static int dw0(int type, int info, int lid) {
        return type & 7 | (info & 0xff) << 8 | (lid & 0xff) << 16;
    }

    /// Asynchronous Event Type.
    public static int type(int dw0) {
        return dw0 & 7;
    }

    /// Asynchronous Event Information.
    public static int info(int dw0) {
        return dw0 >>> 8 & 0xff;
    }

    /// Log Page Identifier.
    public static int lid(int dw0) {
        return dw0 >>> 16 & 0xff;
    }
}
