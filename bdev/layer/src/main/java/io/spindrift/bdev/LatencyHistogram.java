package io.spindrift.bdev;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Counts of latencies in buckets that grow with the value; the shape that `bdev_get_histogram` reports.
///
/// Range 0 has `2^granularity` buckets of one value each, range 1 too, and each range after that buckets twice as wide:
/// a bucket is never wider than its start divided by `2^granularity`. Only the ranges from the one of the smallest value
/// of interest to that of the largest are kept; what lies outside counts in the first or the last bucket.
///
/// Written by one thread.
final class LatencyHistogram {
    /// As many as a user may ask for: each channel has a histogram of its own.
    static final int MOST_BUCKETS = 1 << 20;

    /// How a histogram is made.
    ///
    /// @param ioType      the type of I/O it is of, or -1 for all
    /// @param granularity logarithm of the buckets in a range, 1 to 20
    /// @param minNanos    smallest value of interest
    /// @param maxNanos    the first value above those of interest, as an unsigned number
    record Spec(int ioType, int granularity, long minNanos, long maxNanos) {
        int minRange() {
            return range(minNanos, granularity);
        }

        int maxRange() {
            return range(maxNanos - 1, granularity);
        }

        long buckets() {
            return (long) (maxRange() - minRange() + 1) << granularity;
        }
    }

    private final Spec spec;
    private final int minRange;
    private final int maxRange;
    private final long[] buckets;

    LatencyHistogram(Spec spec) {
        this.spec = spec;
        this.minRange = spec.minRange();
        this.maxRange = spec.maxRange();
        this.buckets = new long[Math.toIntExact(spec.buckets())];
    }

    /// The number of the range that an unsigned value falls into.
    static int range(long value, int granularity) {
        return Math.max(0, Long.SIZE - granularity - Long.numberOfLeadingZeros(value));
    }

    Spec spec() {
        return spec;
    }

    boolean counts(int ioType) {
        return spec.ioType() < 0 || spec.ioType() == ioType;
    }

    /// Counts one value.
    void count(long nanos) {
        int range = range(nanos, spec.granularity());
        int index;
        if (range < minRange) {
            index = 0;
        } else if (range > maxRange) {
            index = buckets.length - 1;
        } else {
            int inRange = (int) (nanos >>> Math.max(0, range - 1)) & (1 << spec.granularity()) - 1;
            index = (range - minRange << spec.granularity()) + inRange;
        }
        buckets[index]++;
    }

    void add(LatencyHistogram other) {
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] += other.buckets[i];
        }
    }

    /// How many of the values counted lie below `nanos`, which is rounded up to the end of its bucket.
    long countBelow(long nanos) {
        long sum = 0;
        for (int i = 0; i < buckets.length; i++) {
            if (end(i) > nanos) {
                break;
            }
            sum += buckets[i];
        }
        return sum;
    }

    long total() {
        long sum = 0;
        for (long count : buckets) {
            sum += count;
        }
        return sum;
    }

    /// The first value above bucket `i`.
    private long end(int i) {
        int range = minRange + (i >>> spec.granularity());
        long inRange = (i & (1 << spec.granularity()) - 1) + 1;
        return range == 0 ? inRange : (1L << range + spec.granularity() - 1) + (inRange << range - 1);
    }

    /// The buckets as little-endian 64-bit numbers.
    byte[] bytes() {
        ByteBuffer buffer = ByteBuffer.allocate(buckets.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asLongBuffer().put(buckets);
        return buffer.array();
    }
}
