package io.spindrift.bdev;

import java.util.Map;
import java.util.TreeMap;

/// What was done on a device, or through one channel: a snapshot. Latencies are sums and extremes in nanoseconds.
public final class BdevStatistics {
    private final IoCounters[] counters = new IoCounters[BdevIoType.COUNT];
    private final Map<String, Long> errors = new TreeMap<>();

    BdevStatistics() {
        for (int type = 0; type < counters.length; type++) {
            counters[type] = new IoCounters();
        }
    }

    void add(IoCounters[] others, FailureCounts failures) {
        for (int type = 0; type < counters.length; type++) {
            counters[type].add(others[type]);
        }
        failures.forEach((status, count) -> errors.merge(BdevStatus.text(status), count, Long::sum));
    }

    void add(BdevStatistics other) {
        for (int type = 0; type < counters.length; type++) {
            counters[type].add(other.counters[type]);
        }
        other.errors.forEach((text, count) -> errors.merge(text, count, Long::sum));
    }

    void reset(StatisticsReset what) {
        for (IoCounters counter : counters) {
            counter.reset(what);
        }
        if (what.errors()) {
            errors.clear();
        }
    }

    /// Successful I/Os of `type`.
    public long operations(int type) {
        return counters[type].operations;
    }

    public long blocks(int type) {
        return counters[type].blocks;
    }

    public long latencyTicks(int type) {
        return counters[type].ticks;
    }

    public long maxLatencyTicks(int type) {
        return counters[type].maxTicks;
    }

    /// 0 if there was none.
    public long minLatencyTicks(int type) {
        return counters[type].operations == 0 || counters[type].minTicks == Long.MAX_VALUE
                ? 0
                : counters[type].minTicks;
    }

    /// How many I/Os failed, by the text of their status.
    public Map<String, Long> errors() {
        return errors;
    }
}
