package io.spindrift.bdev.nvme;

import io.spindrift.bdev.nvme.NvmeBdevOptions.DhGroup;
import io.spindrift.bdev.nvme.NvmeBdevOptions.Digest;
import io.spindrift.bdev.nvme.NvmeBdevOptions.MultipathOptions;
import io.spindrift.bdev.nvme.NvmeBdevOptions.TimeoutAction;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Parameters of `bdev_nvme_set_options`; what is left out stays as it is.
record SetOptionsParams(
        @Description("what to do about a command that takes too long") Optional<TimeoutAction> actionOnTimeout,
        @Unsigned(64) @Description("how long a command may take, in us; 0: any time") OptionalLong timeoutUs,
        @Unsigned(64) @Description("how long an admin command may take, in us") OptionalLong timeoutAdminUs,
        @Unsigned(32) @Description("Keep Alive Timeout, in ms; 0: none") OptionalLong keepAliveTimeoutMs,
        @Unsigned(32) @Description("commands at a time; no effect") OptionalLong arbitrationBurst,
        @Unsigned(32) @Description("no effect") OptionalLong lowPriorityWeight,
        @Unsigned(32) @Description("no effect") OptionalLong mediumPriorityWeight,
        @Unsigned(32) @Description("no effect") OptionalLong highPriorityWeight,
        @Unsigned(64) @Description("no effect: the admin queue wakes by itself") OptionalLong nvmeAdminqPollPeriodUs,
        @Unsigned(64) @Description("no effect: queues wake by themselves") OptionalLong nvmeIoqPollPeriodUs,
        @Unsigned(32) @Description("requests of an I/O queue; 0: 512") OptionalLong ioQueueRequests,
        @Description("no effect: doorbells are always rung in batches") Optional<Boolean> delayCmdSubmit,
        @Unsigned(32) @Description("no effect: see bdev_retry_count") OptionalLong transportRetryCount,
        @Description("how often an I/O is repeated; -1: without end") OptionalInt bdevRetryCount,
        @Unsigned(8) @Description("no effect: RDMA's") OptionalInt transportAckTimeout,
        @Description("s until a lost controller is given up; -1: never") OptionalInt ctrlrLossTimeoutSec,
        @Unsigned(32) @Description("s between attempts to connect") OptionalLong reconnectDelaySec,
        @Unsigned(32) @Description("s until I/O fails that waits; 0: never") OptionalLong fastIoFailTimeoutSec,
        @Description("stay with a path that works when a better one is back") Optional<Boolean> disableAutoFailback,
        @Description("make UUIDs for namespaces without one") Optional<Boolean> generateUuids,
        @Unsigned(8) @Description("type of service of IP packets") OptionalInt transportTos,
        @Description("count statuses for each bdev") Optional<Boolean> nvmeErrorStat,
        @Unsigned(32) @Description("shared receive queue of RDMA") OptionalLong rdmaSrqSize,
        @Description("count I/Os for each path") Optional<Boolean> ioPathStat,
        @Description("no effect") Optional<Boolean> allowAccelSequence,
        @Unsigned(32) @Description("most entries of RDMA's completion queue") OptionalLong rdmaMaxCqSize,
        @Unsigned(16) @Description("limit of RDMA's connection manager, in ms") OptionalInt rdmaCmEventTimeoutMs,
        @Description("no effect: hosts do not authenticate yet") Optional<List<Digest>> dhchapDigests,
        @Description("no effect: hosts do not authenticate yet") Optional<List<DhGroup>> dhchapDhgroups,
        @Description("no effect: RDMA's") Optional<Boolean> rdmaUmrPerIo,
        @Unsigned(32) @Description("no effect: see fabrics_connect_timeout_us") OptionalLong tcpConnectTimeoutMs,
        @Description("no effect: a flush is always sent") Optional<Boolean> enableFlush,
        @Description("how a bdev chooses a path") Optional<MultipathOptions> multipathOpts) {
    /// All of `options`.
    static SetOptionsParams of(NvmeBdevOptions options) {
        return new SetOptionsParams(Optional.of(options.actionOnTimeout()), OptionalLong.of(options.timeoutUs()),
                OptionalLong.of(options.timeoutAdminUs()), OptionalLong.of(options.keepAliveTimeoutMs()),
                OptionalLong.of(options.arbitrationBurst()), OptionalLong.of(options.lowPriorityWeight()),
                OptionalLong.of(options.mediumPriorityWeight()), OptionalLong.of(options.highPriorityWeight()),
                OptionalLong.of(options.nvmeAdminqPollPeriodUs()), OptionalLong.of(options.nvmeIoqPollPeriodUs()),
                OptionalLong.of(options.ioQueueRequests()), Optional.of(options.delayCmdSubmit()),
                OptionalLong.of(options.transportRetryCount()), OptionalInt.of(options.bdevRetryCount()),
                OptionalInt.of(options.transportAckTimeout()), OptionalInt.of(options.ctrlrLossTimeoutSec()),
                OptionalLong.of(options.reconnectDelaySec()), OptionalLong.of(options.fastIoFailTimeoutSec()),
                Optional.of(options.disableAutoFailback()), Optional.of(options.generateUuids()),
                OptionalInt.of(options.transportTos()), Optional.of(options.nvmeErrorStat()),
                OptionalLong.of(options.rdmaSrqSize()), Optional.of(options.ioPathStat()),
                Optional.of(options.allowAccelSequence()), OptionalLong.of(options.rdmaMaxCqSize()),
                OptionalInt.of(options.rdmaCmEventTimeoutMs()), Optional.of(options.dhchapDigests()),
                Optional.of(options.dhchapDhgroups()), Optional.of(options.rdmaUmrPerIo()),
                OptionalLong.of(options.tcpConnectTimeoutMs()), Optional.of(options.enableFlush()),
                Optional.of(options.multipathOpts()));
    }

    /// `present` with what is given here.
    NvmeBdevOptions over(NvmeBdevOptions present) {
        return new NvmeBdevOptions(actionOnTimeout.orElse(present.actionOnTimeout()),
                timeoutUs.orElse(present.timeoutUs()), timeoutAdminUs.orElse(present.timeoutAdminUs()),
                keepAliveTimeoutMs.orElse(present.keepAliveTimeoutMs()),
                arbitrationBurst.orElse(present.arbitrationBurst()),
                lowPriorityWeight.orElse(present.lowPriorityWeight()),
                mediumPriorityWeight.orElse(present.mediumPriorityWeight()),
                highPriorityWeight.orElse(present.highPriorityWeight()),
                nvmeAdminqPollPeriodUs.orElse(present.nvmeAdminqPollPeriodUs()),
                nvmeIoqPollPeriodUs.orElse(present.nvmeIoqPollPeriodUs()),
                ioQueueRequests.orElse(present.ioQueueRequests()), delayCmdSubmit.orElse(present.delayCmdSubmit()),
                transportRetryCount.orElse(present.transportRetryCount()),
                bdevRetryCount.orElse(present.bdevRetryCount()),
                transportAckTimeout.orElse(present.transportAckTimeout()),
                ctrlrLossTimeoutSec.orElse(present.ctrlrLossTimeoutSec()),
                reconnectDelaySec.orElse(present.reconnectDelaySec()),
                fastIoFailTimeoutSec.orElse(present.fastIoFailTimeoutSec()),
                disableAutoFailback.orElse(present.disableAutoFailback()),
                generateUuids.orElse(present.generateUuids()), transportTos.orElse(present.transportTos()),
                nvmeErrorStat.orElse(present.nvmeErrorStat()), rdmaSrqSize.orElse(present.rdmaSrqSize()),
                ioPathStat.orElse(present.ioPathStat()), allowAccelSequence.orElse(present.allowAccelSequence()),
                rdmaMaxCqSize.orElse(present.rdmaMaxCqSize()),
                rdmaCmEventTimeoutMs.orElse(present.rdmaCmEventTimeoutMs()),
                dhchapDigests.orElse(present.dhchapDigests()), dhchapDhgroups.orElse(present.dhchapDhgroups()),
                rdmaUmrPerIo.orElse(present.rdmaUmrPerIo()),
                tcpConnectTimeoutMs.orElse(present.tcpConnectTimeoutMs()), enableFlush.orElse(present.enableFlush()),
                multipathOpts.orElse(present.multipathOpts()));
    }
}
