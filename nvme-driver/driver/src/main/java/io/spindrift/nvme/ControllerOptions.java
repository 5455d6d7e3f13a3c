package io.spindrift.nvme;

import io.spindrift.framework.Check;
import io.spindrift.framework.thread.IoThread;
import java.util.Optional;
import java.util.UUID;

/// How a controller is to be used. What it cannot do, as many queues or as long ones, it is not asked for.
///
/// @param host        who connects, over Fabrics
/// @param queues      how many queue pairs of which sizes
/// @param timeouts    how long to wait for what
/// @param fabrics     what is agreed upon when a connection is made
/// @param sockImplementation the implementation of sockets; the default one if none is given
/// @param adminThread whose the admin queue is; the application's first thread if none is given
public record ControllerOptions(HostIdentity host, Queues queues, Timeouts timeouts, Fabrics fabrics,
        Optional<String> sockImplementation, Optional<IoThread> adminThread) {
    /// What everybody gets who wants nothing special, as a host with an identity of its own.
    public static ControllerOptions defaults() {
        return new ControllerOptions(HostIdentity.of(UUID.randomUUID()), Queues.DEFAULT, Timeouts.DEFAULT,
                Fabrics.DEFAULT, Optional.empty(), Optional.empty());
    }

    public ControllerOptions withHost(HostIdentity other) {
        return new ControllerOptions(other, queues, timeouts, fabrics, sockImplementation, adminThread);
    }

    public ControllerOptions withQueues(Queues other) {
        return new ControllerOptions(host, other, timeouts, fabrics, sockImplementation, adminThread);
    }

    public ControllerOptions withTimeouts(Timeouts other) {
        return new ControllerOptions(host, queues, other, fabrics, sockImplementation, adminThread);
    }

    public ControllerOptions withFabrics(Fabrics other) {
        return new ControllerOptions(host, queues, timeouts, other, sockImplementation, adminThread);
    }

    public ControllerOptions withSockImplementation(String name) {
        return new ControllerOptions(host, queues, timeouts, fabrics, Optional.of(name), adminThread);
    }

    public ControllerOptions withAdminThread(IoThread thread) {
        return new ControllerOptions(host, queues, timeouts, fabrics, sockImplementation, Optional.of(thread));
    }

    /// Numbers and sizes of queue pairs.
    ///
    /// @param ioQueues     the most I/O queue pairs, at least 1
    /// @param ioEntries    entries of an I/O submission queue, 2 to 65,536; it takes one command less
    /// @param ioRequests   requests of an I/O queue pair: those that find the queue full wait for their turn
    /// @param adminEntries entries of the admin queues, 8 to 4,096
    public record Queues(int ioQueues, int ioEntries, int ioRequests, int adminEntries) {
        public static final Queues DEFAULT = new Queues(1024, 256, 512, 32);

        public Queues {
            Check.range("num_io_queues", ioQueues, 1, 65535);
            Check.range("io_queue_size", ioEntries, 2, 65536);
            Check.range("io_queue_requests", ioRequests, 1, 65536);
            Check.range("admin_queue_size", adminEntries, 8, 4096);
        }

        public Queues withIoQueues(int number) {
            return new Queues(number, ioEntries, ioRequests, adminEntries);
        }

        /// I/O queues of so many entries, with as many requests or more.
        public Queues withIoEntries(int entries, int requests) {
            return new Queues(ioQueues, entries, requests, adminEntries);
        }
    }

    /// How long to wait, in milliseconds; 0 for ever.
    ///
    /// @param connectMillis   for a connection and each command that sets it up, at least 1
    /// @param keepAliveMillis after which a silent controller, and a silent host, is given up
    /// @param adminMillis     for an admin command
    /// @param ioMillis        for an I/O command
    public record Timeouts(long connectMillis, long keepAliveMillis, long adminMillis, long ioMillis) {
        public static final Timeouts DEFAULT = new Timeouts(10_000, 10_000, 60_000, 0);

        public Timeouts {
            Check.range("fabrics_connect_timeout_ms", connectMillis, 1, Integer.MAX_VALUE);
            Check.range("keep_alive_timeout_ms", keepAliveMillis, 0, Integer.MAX_VALUE);
            Check.range("timeout_admin_ms", adminMillis, 0, Integer.MAX_VALUE);
            Check.range("timeout_ms", ioMillis, 0, Integer.MAX_VALUE);
        }

        public Timeouts withKeepAlive(long millis) {
            return new Timeouts(connectMillis, millis, adminMillis, ioMillis);
        }

        public Timeouts withConnect(long millis) {
            return new Timeouts(millis, keepAliveMillis, adminMillis, ioMillis);
        }

        public Timeouts withCommands(long admin, long io) {
            return new Timeouts(connectMillis, keepAliveMillis, admin, io);
        }
    }

    /// What is agreed upon when a connection is made.
    ///
    /// @param headerDigest       a CRC32C behind each header
    /// @param dataDigest         a CRC32C behind all data
    /// @param disableFlowControl no SQ flow control, if the controller can do without: a read may then end with its data
    /// @param tos                the type of service of IP packets, 0 to 255
    /// @param priority           the priority of the socket
    public record Fabrics(boolean headerDigest, boolean dataDigest, boolean disableFlowControl, int tos, int priority) {
        public static final Fabrics DEFAULT = new Fabrics(false, false, false, 0, 0);

        public Fabrics {
            Check.range("transport_tos", tos, 0, 255);
            Check.range("priority", priority, 0, Integer.MAX_VALUE);
        }

        public Fabrics withDigests(boolean header, boolean data) {
            return new Fabrics(header, data, disableFlowControl, tos, priority);
        }

        public Fabrics withTos(int value) {
            return new Fabrics(headerDigest, dataDigest, disableFlowControl, value, priority);
        }

        public Fabrics withoutFlowControl(boolean disabled) {
            return new Fabrics(headerDigest, dataDigest, disabled, tos, priority);
        }
    }
}
