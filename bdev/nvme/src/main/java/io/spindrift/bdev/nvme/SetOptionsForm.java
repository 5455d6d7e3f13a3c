package io.spindrift.bdev.nvme;

import io.spindrift.bdev.nvme.NvmeBdevOptions.DhGroup;
import io.spindrift.bdev.nvme.NvmeBdevOptions.Digest;
import io.spindrift.bdev.nvme.NvmeBdevOptions.MultipathOptions;
import io.spindrift.bdev.nvme.NvmeBdevOptions.TimeoutAction;
import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What is typed for `bdev_nvme_set_options`.
record SetOptionsForm(
        @Option({
                "-a", "--action-on-timeout"})
        @Description("what to do about a command that takes too long") Optional<TimeoutAction> actionOnTimeout,
        @Option({"-t", "--timeout-us"}) @Unsigned(64)
        @Description("how long a command may take, in us; 0: any time") OptionalLong timeoutUs,
        @Option("--timeout-admin-us") @Unsigned(64)
        @Description("how long an admin command may take, in us") OptionalLong timeoutAdminUs,
        @Option({"-k", "--keep-alive-timeout-ms"}) @Unsigned(32)
        @Description("Keep Alive Timeout, in ms; 0: none") OptionalLong keepAliveTimeoutMs,
        @Option("--arbitration-burst") @Unsigned(32) @Description("no effect") OptionalLong arbitrationBurst,
        @Option("--low-priority-weight") @Unsigned(32) @Description("no effect") OptionalLong lowPriorityWeight,
        @Option("--medium-priority-weight") @Unsigned(32) @Description("no effect") OptionalLong mediumPriorityWeight,
        @Option("--high-priority-weight") @Unsigned(32) @Description("no effect") OptionalLong highPriorityWeight,
        @Option({"-p", "--nvme-adminq-poll-period-us"}) @Unsigned(64)
        @Description("no effect: the admin queue wakes by itself") OptionalLong nvmeAdminqPollPeriodUs,
        @Option({"-i", "--nvme-ioq-poll-period-us"}) @Unsigned(64)
        @Description("no effect: queues wake by themselves") OptionalLong nvmeIoqPollPeriodUs,
        @Option({"-s", "--io-queue-requests"}) @Unsigned(32)
        @Description("requests of an I/O queue; 0: 512") OptionalLong ioQueueRequests,
        @Option(value = {"-d", "--disable-delay-cmd-submit"}, negated = true)
        @Description("no effect: doorbells are always rung in batches") Optional<Boolean> delayCmdSubmit,
        @Option({"-c", "--transport-retry-count"}) @Unsigned(32)
        @Description("no effect: see bdev_retry_count") OptionalLong transportRetryCount,
        @Option({"-r", "--bdev-retry-count"})
        @Description("how often an I/O is repeated; -1: without end") OptionalInt bdevRetryCount,
        @Option({"-e", "--transport-ack-timeout"}) @Unsigned(8)
        @Description("no effect: RDMA's") OptionalInt transportAckTimeout,
        @Option({"-l", "--ctrlr-loss-timeout-sec"})
        @Description("s until a lost controller is given up; -1: never") OptionalInt ctrlrLossTimeoutSec,
        @Option({"-o", "--reconnect-delay-sec"}) @Unsigned(32)
        @Description("s between attempts to connect") OptionalLong reconnectDelaySec,
        @Option({"-u", "--fast-io-fail-timeout-sec"}) @Unsigned(32)
        @Description("s until I/O fails that waits; 0: never") OptionalLong fastIoFailTimeoutSec,
        @Option({"-f", "--disable-auto-failback"})
        @Description("stay with a path that works when a better one is back") Optional<Boolean> disableAutoFailback,
        @Option("--generate-uuids")
        @Description("make UUIDs for namespaces without one") Optional<Boolean> generateUuids,
        @Option("--transport-tos") @Unsigned(8) @Description("type of service of IP packets") OptionalInt transportTos,
        @Option({"-m", "--nvme-error-stat"}) @Description("count statuses") Optional<Boolean> nvmeErrorStat,
        @Option({"-q", "--rdma-srq-size"}) @Unsigned(32)
        @Description("shared receive queue of RDMA") OptionalLong rdmaSrqSize,
        @Option("--io-path-stat") @Description("count I/Os for each path") Optional<Boolean> ioPathStat,
        @Option("--allow-accel-sequence") @Description("no effect") Optional<Boolean> allowAccelSequence,
        @Option("--rdma-max-cq-size") @Unsigned(32)
        @Description("most entries of RDMA's completion queue") OptionalLong rdmaMaxCqSize,
        @Option("--rdma-cm-event-timeout-ms") @Unsigned(16)
        @Description("limit of RDMA's connection manager, in ms") OptionalInt rdmaCmEventTimeoutMs,
        @Option("--dhchap-digests")
        @Description("no effect: hosts do not authenticate yet") Optional<List<Digest>> dhchapDigests,
        @Option("--dhchap-dhgroups")
        @Description("no effect: hosts do not authenticate yet") Optional<List<DhGroup>> dhchapDhgroups,
        @Option({"--rdma-umr-per-io", "--no-rdma-umr-per-io"})
        @Description("no effect: RDMA's") Optional<Boolean> rdmaUmrPerIo,
        @Option("--tcp-connect-timeout-ms") @Unsigned(32)
        @Description("no effect: see fabrics_connect_timeout_us") OptionalLong tcpConnectTimeoutMs,
        @Option("--enable-flush") @Description("no effect: a flush is always sent") Optional<Boolean> enableFlush,
        @Option("--policy") @Description("one path at a time, or all") Optional<MultipathPolicy.Policy> policy,
        @Option("--selector") @Description("how all take turns") Optional<MultipathPolicy.Selector> selector,
        @Option("--min-io") @Unsigned(32)
        @Description("I/Os before it is the next one's turn") Optional<Long> minIo)
        implements
            CliForm<SetOptionsParams> {
    @Override
    public SetOptionsParams toParams() {
        return new SetOptionsParams(actionOnTimeout, timeoutUs, timeoutAdminUs, keepAliveTimeoutMs, arbitrationBurst,
                lowPriorityWeight, mediumPriorityWeight, highPriorityWeight, nvmeAdminqPollPeriodUs,
                nvmeIoqPollPeriodUs, ioQueueRequests, delayCmdSubmit, transportRetryCount, bdevRetryCount,
                transportAckTimeout, ctrlrLossTimeoutSec, reconnectDelaySec, fastIoFailTimeoutSec,
                disableAutoFailback, generateUuids, transportTos, nvmeErrorStat, rdmaSrqSize, ioPathStat,
                allowAccelSequence, rdmaMaxCqSize, rdmaCmEventTimeoutMs, dhchapDigests, dhchapDhgroups, rdmaUmrPerIo,
                tcpConnectTimeoutMs, enableFlush, multipath(policy, selector, minIo));
    }

    /// What the three flags mean; nothing if none is typed.
    static Optional<MultipathOptions> multipath(Optional<MultipathPolicy.Policy> policy,
            Optional<MultipathPolicy.Selector> selector, Optional<Long> minIo) {
        if (policy.isEmpty() && selector.isEmpty() && minIo.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new MultipathOptions(policy.orElse(MultipathPolicy.Policy.ACTIVE_PASSIVE), selector, minIo));
    }
}
