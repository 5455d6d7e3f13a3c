package io.spindrift.framework.trace;

/// Counts of values in buckets whose width is at most 1/64 of their value, from 0 to 2^63 - 1.
///
/// Values below 128 have a bucket each; above, every power of two is cut into 64. All memory (30 KiB) is allocated at
/// construction; [#record(long)] is a shift, an addition and four stores. Not thread-safe: one thread records, and hands
/// out [#copy()].
public final class LogLinearHistogram {
    private static final int SUB_BUCKET_BITS = 6;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;
    /// One row of sub-buckets for 0..63, then one for each leading-bit position 6..62.
    private static final int BUCKETS = (1 + Long.SIZE - 1 - SUB_BUCKET_BITS) * SUB_BUCKETS;

    private final long[] counts = new long[BUCKETS];
    private long count;
    private long sum;
    private long min = Long.MAX_VALUE;
    private long max;

    public LogLinearHistogram() {}

    /// Counts `value`; a negative one, which only a clock that went back can produce, counts as 0.
    public void record(long value) {
        long v = Math.max(value, 0);
        counts[bucket(v)]++;
        count++;
        sum += v;
        if (v < min) {
            min = v;
        }
        if (v > max) {
            max = v;
        }
    }

    /// The bucket of `value >= 0`.
    static int bucket(long value) {
        int shift = Math.max(Long.SIZE - 1 - SUB_BUCKET_BITS - Long.numberOfLeadingZeros(value), 0);
        return (shift << SUB_BUCKET_BITS) + (int) (value >>> shift);
    }

    /// The greatest value that `bucket` holds.
    static long upperBound(int bucket) {
        int shift = Math.max((bucket >>> SUB_BUCKET_BITS) - 1, 0);
        long top = bucket - ((long) shift << SUB_BUCKET_BITS);
        return (top << shift) + (1L << shift) - 1;
    }

    static int buckets() {
        return BUCKETS;
    }

    public long count() {
        return count;
    }

    /// The exact least value, or 0 when nothing was recorded.
    public long min() {
        return count == 0 ? 0 : min;
    }

    /// The exact greatest value, or 0 when nothing was recorded.
    public long max() {
        return max;
    }

    /// The exact mean, or 0 when nothing was recorded.
    public double mean() {
        return count == 0 ? 0 : (double) sum / count;
    }

    /// The least value that at least `percent` of all values do not exceed, at most 1/64 too large; 0 when empty.
    public long percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent=" + percent + " is outside 0..100");
        }
        long wanted = Math.max((long) Math.ceil(count * percent / 100), 1);
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return Math.min(upperBound(bucket), max);
            }
        }
        return max;
    }

    /// Adds everything that `other` counted.
    public void add(LogLinearHistogram other) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            counts[bucket] += other.counts[bucket];
        }
        count += other.count;
        sum += other.sum;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
    }

    /// A copy that this histogram's thread may give to another.
    public LogLinearHistogram copy() {
        LogLinearHistogram copy = new LogLinearHistogram();
        copy.add(this);
        return copy;
    }
}
