package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
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

    private final int maxIoQueues;
    private int ioQueues;
    private boolean queuesNegotiated;
    private int arbitration;
    private int powerState;
    private int temperatureThreshold;
    private int errorRecovery;
    private int writeCache;
    private int asyncEvents;
    private long keepAliveMillis;

    Features(int maxIoQueues) {
        this.maxIoQueues = maxIoQueues;
        reset();
    }

    /// As after a controller reset, but for the Keep Alive Timeout.
    void reset() {
        ioQueues = maxIoQueues;
        queuesNegotiated = false;
        arbitration = 0;
        powerState = 0;
        temperatureThreshold = TEMPERATURE_THRESHOLD;
        errorRecovery = 0;
        writeCache = FeatureDword.WCE;
        asyncEvents = EVENTS;
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

    /// The value of a feature; -1 if it is none of these.
    long get(int fid) {
        return switch (fid) {
            case Fid.ARBITRATION -> arbitration;
            case Fid.POWER_MANAGEMENT -> powerState;
            case Fid.TEMPERATURE_THRESHOLD -> temperatureThreshold;
            case Fid.ERROR_RECOVERY -> errorRecovery;
            case Fid.VOLATILE_WRITE_CACHE -> writeCache;
            case Fid.NUMBER_OF_QUEUES -> FeatureDword.numberOfQueues(ioQueues, ioQueues) & 0xffff_ffffL;
            case Fid.ASYNC_EVENT_CONFIGURATION -> asyncEvents & 0xffff_ffffL;
            case Fid.KEEP_ALIVE_TIMER -> keepAliveMillis;
            default -> -1;
        };
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
                if (FeatureDword.tmpsel(value) > 8 && FeatureDword.tmpsel(value) != FeatureDword.TMPSEL_ALL
                        || FeatureDword.thsel(value) > 1) {
                    return Status.withDnr(GenericStatus.INVALID_FIELD);
                }
                if (FeatureDword.thsel(value) == FeatureDword.THSEL_OVER) {
                    temperatureThreshold = FeatureDword.tmpth(value);
                }
            }
            case Fid.ERROR_RECOVERY -> {
                if ((value & FeatureDword.DULBE) != 0) {
                    return Status.withDnr(GenericStatus.INVALID_FIELD); // NSFEAT says that there is no such error
                }
                errorRecovery = value;
            }
            case Fid.VOLATILE_WRITE_CACHE -> writeCache = value & FeatureDword.WCE;
            case Fid.NUMBER_OF_QUEUES -> {
                return setQueues(value);
            }
            case Fid.ASYNC_EVENT_CONFIGURATION -> asyncEvents = value;
            default -> {
                return get(fid) >= 0
                        ? Status.withDnr(CommandSpecificStatus.FEATURE_NOT_CHANGEABLE)
                        : Status.withDnr(GenericStatus.INVALID_FIELD);
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
