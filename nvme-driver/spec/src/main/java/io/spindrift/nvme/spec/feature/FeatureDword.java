package io.spindrift.nvme.spec.feature;

/// Dword 11 of Set Features, and dword 0 that Get Features returns, feature by feature (base specification 2.0,
/// 5.27.1). Those of Asynchronous Event Configuration have a class of their own, [AsyncEventConfiguration].
public final class FeatureDword {
    /// Volatile Write Cache: enabled.
    public static final int WCE = 1;
    /// Error Recovery: Deallocated or Unwritten Logical Block Error Enable.
    public static final int DULBE = 1 << 16;
    /// Write Atomicity Normal: Disable Normal.
    public static final int DN = 1;
    /// Host Identifier: Enable Extended Host Identifier, 128 bits.
    public static final int EXHID = 1;
    /// Reservation Persistence: Persist Through Power Loss.
    public static final int PTPL = 1;
    /// Reservation Notification Mask: Mask Registration Preempted.
    public static final int REGPRE = 1 << 1;
    /// Reservation Notification Mask: Mask Reservation Released.
    public static final int RESREL = 1 << 2;
    /// Reservation Notification Mask: Mask Reservation Preempted.
    public static final int RESPRE = 1 << 3;

    /// Temperature Threshold: the composite temperature.
    public static final int TMPSEL_COMPOSITE = 0;
    /// Temperature Threshold: all sensors, of Set Features only.
    public static final int TMPSEL_ALL = 0xf;
    /// Temperature Threshold: over.
    public static final int THSEL_OVER = 0;
    public static final int THSEL_UNDER = 1;

    private FeatureDword() {}

    /// Number of Queues: how many I/O submission and completion queues are wanted or allocated, not 0's based, 1 to
    /// 65,535.
    public static int numberOfQueues(int submissionQueues, int completionQueues) {
        return submissionQueues - 1 & 0xffff | completionQueues - 1 << 16;
    }

    /// Number of I/O Submission Queues, 1 to 65,536: NSQR or NSQA, plus 1. 65,536 is invalid.
    public static int submissionQueues(int dword) {
        return (dword & 0xffff) + 1;
    }

    /// Number of I/O Completion Queues, 1 to 65,536: NCQR or NCQA, plus 1. 65,536 is invalid.
    public static int completionQueues(int dword) {
        return (dword >>> 16) + 1;
    }

    public static int temperatureThreshold(int kelvins, int tmpsel, int thsel) {
        return kelvins & 0xffff | (tmpsel & 0xf) << 16 | (thsel & 3) << 20;
    }

    /// Temperature Threshold, kelvins.
    public static int tmpth(int dword) {
        return dword & 0xffff;
    }

    /// Threshold Temperature Select: 0 for the composite temperature, 1 to 8 for a sensor.
    public static int tmpsel(int dword) {
        return dword >>> 16 & 0xf;
    }

    /// Threshold Type Select.
    public static int thsel(int dword) {
        return dword >>> 20 & 3;
    }

    /// Error Recovery: Time Limited Error Recovery, units of 100 ms.
    public static int tler(int dword) {
        return dword & 0xffff;
    }

    /// Arbitration Burst: 2^n commands, 7 for no limit.
    public static int arbitrationBurst(int dword) {
        return dword & 7;
    }

    /// Power State, of Power Management.
    public static int powerState(int dword) {
        return dword & 0x1f;
    }

    /// Keep Alive Timeout, milliseconds, 0 for none: the whole dword, unsigned.
    public static long kato(int dword) {
        return dword & 0xffff_ffffL;
    }
}
