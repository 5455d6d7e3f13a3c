package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.feature.AsyncEventConfiguration;
import io.spindrift.nvme.spec.feature.FeatureDword;
import io.spindrift.nvme.spec.feature.Fid;

/// The features of a controller whose value is a dword (base specification 2.0, 5.15 and 5.27). On the controller's thread.
final class Features {
    /// Of WCTEMP, 70 degrees Celsius.
    private static final int TEMPERATURE_THRESHOLD = 343;
    /// What is told of unless the host changes it.
    private static final int EVENTS = AsyncEventConfiguration.NAMESPACE_ATTRIBUTE | AsyncEventConfiguration.ANA_CHANGE
            | AsyncEventConfiguration.DISCOVERY_LOG_CHANGE;

    /// Over Fabrics (base specification 2.0, 5.27.1.12).
    private static final long DEFAULT_KEEP_ALIVE_MILLIS = 120_000;

    private final int maxIoQueues;
    private int ioQueues;
    private boolean queuesNegotiated;
    private int arbitration;
    private int powerState;
    private int temperatureThreshold;
    private int lowThreshold;
    private int errorRecovery;
    private int writeCache;
    private int writeAtomicity;
    private int asyncEvents;
    private boolean advancedRetries;
    private long keepAliveMillis = DEFAULT_KEEP_ALIVE_MILLIS;

    Features(int maxIoQueues) {
        this.maxIoQueues = maxIoQueues;
        reset();
    }

    /// What Get Features says of a feature whose capabilities are asked for (base specification 2.0, 5.15); -1 if there is
    /// none of this number. None can be saved.
    static int capabilities(int fid) {
        return switch (fid) {
            case Fid.ARBITRATION, Fid.POWER_MANAGEMENT, Fid.TEMPERATURE_THRESHOLD, Fid.ERROR_RECOVERY,
                    Fid.VOLATILE_WRITE_CACHE, Fid.NUMBER_OF_QUEUES, Fid.WRITE_ATOMICITY_NORMAL,
                    Fid.ASYNC_EVENT_CONFIGURATION, Fid.KEEP_ALIVE_TIMER, Fid.HOST_BEHAVIOR_SUPPORT ->
                FeatureCommand.CAPABILITY_CHANGEABLE;
            case Fid.RESERVATION_NOTIFICATION_MASK, Fid.RESERVATION_PERSISTENCE ->
                FeatureCommand.CAPABILITY_CHANGEABLE | FeatureCommand.CAPABILITY_NAMESPACE_SPECIFIC;
            case Fid.HOST_IDENTIFIER -> 0;
            default -> -1;
        };
    }

    /// The values before the host changes any.
    Features defaults() {
        return new Features(maxIoQueues);
    }

    /// As after a controller reset, but for the Keep Alive Timeout.
    void reset() {
        ioQueues = maxIoQueues;
        queuesNegotiated = false;
        arbitration = 0;
        powerState = 0;
        temperatureThreshold = TEMPERATURE_THRESHOLD;
        lowThreshold = 0;
        errorRecovery = 0;
        writeCache = FeatureDword.WCE;
        writeAtomicity = 0;
        asyncEvents = EVENTS;
        advancedRetries = false;
    }

    /// I/O queues that the host may make.
    int ioQueues() {
        return ioQueues;
    }

    int asyncEvents() {
        return asyncEvents;
    }

    void keepAliveMillis(long millis) {
        keepAliveMillis = millis;
    }

    /// Whether the host heeds Command Retry Delays.
    boolean advancedRetries() {
        return advancedRetries;
    }

    void advancedRetries(boolean heeded) {
        advancedRetries = heeded;
    }

    /// The value of a feature; -1 if it is none of these. `dword` is that of Get Features, which selects among several.
    long get(int fid, int dword) {
        return switch (fid) {
            case Fid.ARBITRATION -> arbitration;
            case Fid.POWER_MANAGEMENT -> powerState;
            case Fid.TEMPERATURE_THRESHOLD -> threshold(dword);
            case Fid.ERROR_RECOVERY -> errorRecovery;
            case Fid.VOLATILE_WRITE_CACHE -> writeCache;
            case Fid.WRITE_ATOMICITY_NORMAL -> writeAtomicity;
            case Fid.NUMBER_OF_QUEUES -> FeatureDword.numberOfQueues(ioQueues, ioQueues) & 0xffff_ffffL;
            case Fid.ASYNC_EVENT_CONFIGURATION -> asyncEvents & 0xffff_ffffL;
            case Fid.KEEP_ALIVE_TIMER -> keepAliveMillis;
            default -> -1;
        };
    }

    /// There is the composite temperature alone, no sensor.
    private int threshold(int dword) {
        if (FeatureDword.tmpsel(dword) != FeatureDword.TMPSEL_COMPOSITE
                || FeatureDword.thsel(dword) > FeatureDword.THSEL_UNDER) {
            return -1;
        }
        return FeatureDword.thsel(dword) == FeatureDword.THSEL_OVER ? temperatureThreshold : lowThreshold;
    }

    /// Sets a feature but the Keep Alive Timer; returns the status.
    int set(int fid, int value) {
        switch (fid) {
            case Fid.ARBITRATION -> arbitration = value;
            case Fid.POWER_MANAGEMENT -> {
                if (FeatureDword.powerState(value) != 0) {
                    return Status.withDnr(GenericStatus.INVALID_FIELD); // there is power state 0 only
                }
            }
            case Fid.TEMPERATURE_THRESHOLD -> {
                int selected = FeatureDword.tmpsel(value);
                if (selected != FeatureDword.TMPSEL_COMPOSITE && selected != FeatureDword.TMPSEL_ALL
                        || FeatureDword.thsel(value) > FeatureDword.THSEL_UNDER) {
                    return Status.withDnr(GenericStatus.INVALID_FIELD);
                }
                if (FeatureDword.thsel(value) == FeatureDword.THSEL_OVER) {
                    temperatureThreshold = FeatureDword.tmpth(value);
                } else {
                    lowThreshold = FeatureDword.tmpth(value);
                }
            }
            case Fid.ERROR_RECOVERY -> {
                if ((value & FeatureDword.DULBE) != 0) {
                    return Status.withDnr(GenericStatus.INVALID_FIELD); // NSFEAT says that there is no such error
                }
                errorRecovery = value;
            }
            case Fid.VOLATILE_WRITE_CACHE -> writeCache = value & FeatureDword.WCE;
            case Fid.WRITE_ATOMICITY_NORMAL -> writeAtomicity = value & FeatureDword.DN;
            case Fid.NUMBER_OF_QUEUES -> {
                return setQueues(value);
            }
            case Fid.ASYNC_EVENT_CONFIGURATION -> asyncEvents = value;
            default -> {
                return Status.withDnr(GenericStatus.INVALID_FIELD);
            }
        }
        return Status.SUCCESS;
    }

    /// Once after a reset, before I/O queues are made (base specification 2.0, 5.27.1.5).
    private int setQueues(int value) {
        if ((value & 0xffff) == 0xffff || value >>> 16 == 0xffff) {
            return Status.withDnr(GenericStatus.INVALID_FIELD);
        }
        if (queuesNegotiated) {
            return Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR);
        }
        queuesNegotiated = true;
        int wanted = Math.min(FeatureDword.submissionQueues(value), FeatureDword.completionQueues(value));
        ioQueues = Math.min(wanted, maxIoQueues);
        return Status.SUCCESS;
    }
}
