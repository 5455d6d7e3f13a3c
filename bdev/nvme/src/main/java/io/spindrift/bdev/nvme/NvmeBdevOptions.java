package io.spindrift.bdev.nvme;

import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;

/// Options of all NVMe bdevs: what `bdev_nvme_set_options` sets, in the order in which `save_config` writes it.
record NvmeBdevOptions(TimeoutAction actionOnTimeout, long timeoutUs, long timeoutAdminUs, long keepAliveTimeoutMs,
        long arbitrationBurst, long lowPriorityWeight, long mediumPriorityWeight, long highPriorityWeight,
        long nvmeAdminqPollPeriodUs, long nvmeIoqPollPeriodUs, long ioQueueRequests, boolean delayCmdSubmit,
        long transportRetryCount, int bdevRetryCount, int transportAckTimeout, int ctrlrLossTimeoutSec,
        long reconnectDelaySec, long fastIoFailTimeoutSec, boolean disableAutoFailback, boolean generateUuids,
        int transportTos, boolean nvmeErrorStat, long rdmaSrqSize, boolean ioPathStat, boolean allowAccelSequence,
        long rdmaMaxCqSize, int rdmaCmEventTimeoutMs, List<Digest> dhchapDigests, List<DhGroup> dhchapDhgroups,
        boolean rdmaUmrPerIo, long tcpConnectTimeoutMs, boolean enableFlush, MultipathOptions multipathOpts) {
    /// What happens to a command that takes too long.
    enum TimeoutAction {
        NONE, RESET, ABORT
    }

    /// Hash functions of DH-HMAC-CHAP.
    enum Digest {
        SHA256, SHA384, SHA512
    }

    /// Groups of DH-HMAC-CHAP.
    enum DhGroup {
        NULL, FFDHE2048, FFDHE3072, FFDHE4096, FFDHE6144, FFDHE8192
    }

    /// How a bdev with several paths chooses one, when it is made.
    record MultipathOptions(
            @Default("active_passive") @Description("one path at a time, or all") MultipathPolicy.Policy policy,
            @Description("how all take turns") Optional<MultipathPolicy.Selector> selector,
            @Unsigned(32) @Description("I/Os before it is the next one's turn") Optional<Long> minIo) {
        static final MultipathOptions DEFAULT = new MultipathOptions(MultipathPolicy.Policy.ACTIVE_PASSIVE,
                Optional.empty(), Optional.empty());

        MultipathOptions {
            toPolicy(policy, selector, minIo);
        }

        MultipathPolicy toPolicy() {
            return toPolicy(policy, selector, minIo);
        }

        /// The policy with these parameters, of which the others follow from `policy`.
        static MultipathPolicy toPolicy(MultipathPolicy.Policy policy, Optional<MultipathPolicy.Selector> selector,
                Optional<Long> minIo) {
            if (policy == MultipathPolicy.Policy.ACTIVE_PASSIVE && (selector.isPresent() || minIo.isPresent())) {
                throw new IllegalArgumentException(
                        "a selector and its rr_min_io need policy=active_active, not active_passive");
            }
            MultipathPolicy.Selector chosen = selector.orElse(MultipathPolicy.Selector.ROUND_ROBIN);
            if (chosen == MultipathPolicy.Selector.QUEUE_DEPTH && minIo.isPresent()) {
                throw new IllegalArgumentException("rr_min_io=" + minIo.get() + " needs selector=round_robin");
            }
            return new MultipathPolicy(policy, chosen, (int) Math.min(minIo.orElse(1L), Integer.MAX_VALUE));
        }

        static MultipathOptions of(MultipathPolicy policy) {
            return policy.activeActive()
                    ? new MultipathOptions(policy.policy(), Optional.of(policy.selector()),
                            policy.roundRobin() ? Optional.of((long) policy.minIo()) : Optional.empty())
                    : DEFAULT;
        }
    }

    static final NvmeBdevOptions DEFAULT = new NvmeBdevOptions(TimeoutAction.NONE, 0, 0, 10_000, 0, 0, 0, 0, 10_000, 0,
            0, true, 4, 3, 0, 0, 0, 0, false, false, 0, false, 0, false, false, 0, 0, List.of(Digest.values()),
            List.of(DhGroup.values()), false, 0, false, MultipathOptions.DEFAULT);

    NvmeBdevOptions {
        if (timeoutUs == 0 && timeoutAdminUs != 0) {
            throw new IllegalArgumentException("timeout_admin_us=" + timeoutAdminUs + " needs a timeout_us, too");
        }
        if (bdevRetryCount < -1) {
            throw new IllegalArgumentException("bdev_retry_count=" + bdevRetryCount + " is less than -1");
        }
        new LossTimeouts(ctrlrLossTimeoutSec, toInt(reconnectDelaySec), toInt(fastIoFailTimeoutSec));
    }

    static int toInt(long seconds) {
        return (int) Math.min(seconds, Integer.MAX_VALUE);
    }

    LossTimeouts lossTimeouts() {
        return new LossTimeouts(ctrlrLossTimeoutSec, toInt(reconnectDelaySec), toInt(fastIoFailTimeoutSec));
    }
}
