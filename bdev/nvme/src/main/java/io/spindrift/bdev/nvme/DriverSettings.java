package io.spindrift.bdev.nvme;

import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.HostIdentity;
import java.util.Optional;
import java.util.UUID;

/// What the driver is told of a controller.
final class DriverSettings {
    private static final String UUID_NQN = "nqn.2014-08.org.nvmexpress:uuid:";
    private static final int REQUESTS = 512;

    private DriverSettings() {}

    /// The controller's options that follow from those of all NVMe bdevs.
    static ControllerOptions of(NvmeBdevOptions options, HostIdentity host) {
        boolean limited = options.actionOnTimeout() != NvmeBdevOptions.TimeoutAction.NONE;
        long ioMillis = limited ? millis(options.timeoutUs()) : 0;
        long adminMillis = millis(options.timeoutAdminUs() != 0 ? options.timeoutAdminUs() : options.timeoutUs());
        ControllerOptions.Timeouts timeouts = ControllerOptions.Timeouts.DEFAULT
                .withKeepAlive(Math.min(options.keepAliveTimeoutMs(), Integer.MAX_VALUE));
        int requests = options.ioQueueRequests() == 0
                ? REQUESTS
                : (int) Math.min(options.ioQueueRequests(), 65_536);
        ControllerOptions.Queues queues = ControllerOptions.Queues.DEFAULT;
        return ControllerOptions.defaults().withHost(host)
                .withTimeouts(timeouts.withCommands(adminMillis == 0 ? timeouts.adminMillis() : adminMillis, ioMillis))
                .withQueues(queues.withIoEntries(queues.ioEntries(), requests));
    }

    private static long millis(long micros) {
        return micros == 0 ? 0 : Math.clamp(micros / 1000, 1, Integer.MAX_VALUE);
    }

    /// The host with this name: its identifier is the UUID in it, or else that of `standard`.
    static HostIdentity host(String nqn, HostIdentity standard) {
        return new HostIdentity(nqn, uuid(nqn).orElse(standard.id()), Optional.empty(), Optional.empty());
    }

    private static Optional<UUID> uuid(String nqn) {
        try {
            return nqn.startsWith(UUID_NQN)
                    ? Optional.of(UUID.fromString(nqn.substring(UUID_NQN.length())))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
