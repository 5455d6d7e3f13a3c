package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyHistogramTest {
    private static LatencyHistogram histogram(int granularity, long min, long max) {
        return new LatencyHistogram(new LatencyHistogram.Spec(-1, granularity, min, max));
    }

    private static int bucketOf(LatencyHistogram histogram, long value) {
        histogram.count(value);
        ByteBuffer buckets = ByteBuffer.wrap(histogram.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; buckets.hasRemaining(); i++) {
            if (buckets.getLong() == 1) {
                return i;
            }
        }
        throw new AssertionError("not counted");
    }

    /// With granularity 7, range 0 covers 0 to 127, range 1 128 to 255 and range r from 2^(r+6) in steps of 2^(r-1).
    @ParameterizedTest
    @CsvSource({"0,0", "127,127", "128,128", "255,255", "256,256", "257,256", "258,257", "511,383", "512,384",
            "515,384",
            "516,385", "1048576,1792"})
    void putsAValueIntoItsBucket(long value, int bucket) {
        assertEquals(bucket, bucketOf(histogram(7, 0, -1), value));
    }

    @Test
    void coversAllOfSixtyFourBits() {
        assertEquals(58 * 128 * 8, histogram(7, 0, -1).bytes().length);
        assertEquals(58 * 128 - 1, bucketOf(histogram(7, 0, -1), -1));
    }

    @Test
    void countsWhatLiesOutsideTheRangesOfInterestInTheFirstAndTheLastBucket() {
        LatencyHistogram histogram = histogram(7, 1000, 4096); // ranges 3 (512 to 1023) to 5 (2048 to 4095)
        assertEquals(3 * 128 * 8, histogram.bytes().length);
        assertEquals(0, bucketOf(histogram(7, 1000, 4096), 5));
        assertEquals(383, bucketOf(histogram(7, 1000, 4096), 1_000_000));
        assertEquals(0, bucketOf(histogram(7, 1000, 4096), 512));
        assertEquals(128, bucketOf(histogram(7, 1000, 4096), 1024));
    }

    @Test
    void countsBelowABorder() {
        LatencyHistogram histogram = histogram(7, 0, -1);
        for (long value : new long[]{10, 20, 100, 300, 5000}) {
            histogram.count(value);
        }
        assertEquals(0, histogram.countBelow(10));
        assertEquals(1, histogram.countBelow(11));
        assertEquals(3, histogram.countBelow(128));
        assertEquals(4, histogram.countBelow(1024));
        assertEquals(5, histogram.countBelow(Long.MAX_VALUE));
        assertEquals(5, histogram.total());
    }
}
