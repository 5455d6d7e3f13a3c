package io.spindrift.bdev.nvme;

import io.spindrift.framework.Check;

/// How a bdev with several paths chooses one for an I/O.
///
/// @param policy   one path as long as it is usable, or all of them
/// @param selector how they take turns, if all are used
/// @param minIo    I/Os through a path before it is the next one's turn (round robin)
record MultipathPolicy(Policy policy, Selector selector, int minIo) {
    enum Policy {
        ACTIVE_PASSIVE, ACTIVE_ACTIVE
    }

    enum Selector {
        ROUND_ROBIN, QUEUE_DEPTH
    }

    static final MultipathPolicy DEFAULT = new MultipathPolicy(Policy.ACTIVE_PASSIVE, Selector.ROUND_ROBIN, 1);

    MultipathPolicy {
        Check.positive("rr_min_io", minIo);
    }

    boolean activeActive() {
        return policy == Policy.ACTIVE_ACTIVE;
    }

    boolean roundRobin() {
        return activeActive() && selector == Selector.ROUND_ROBIN;
    }

    /// Whether each I/O takes the path with the fewest commands.
    boolean leastBusy() {
        return activeActive() && selector == Selector.QUEUE_DEPTH;
    }

    /// For how many I/Os a path is taken before one is chosen again.
    int turns() {
        return leastBusy() ? 1 : roundRobin() ? minIo : Integer.MAX_VALUE;
    }
}
