package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LogLinearHistogramTest {
    @Test
    void givesSmallValuesABucketEach() {
        for (int value = 0; value < 128; value++) {
            assertEquals(value, LogLinearHistogram.bucket(value));
            assertEquals(value, LogLinearHistogram.upperBound(value));
        }
    }

    @Test
    void cutsEveryPowerOfTwoInto64() {
        // 128..255 has 64 buckets of width 2, 256..511 64 of width 4.
        assertEquals(128, LogLinearHistogram.bucket(128));
        assertEquals(128, LogLinearHistogram.bucket(129));
        assertEquals(129, LogLinearHistogram.upperBound(128));
        assertEquals(191, LogLinearHistogram.bucket(255));
        assertEquals(192, LogLinearHistogram.bucket(256));
        assertEquals(259, LogLinearHistogram.upperBound(192));
    }

    @Test
    void endsWithTheGreatestLong() {
        assertEquals(LogLinearHistogram.buckets() - 1, LogLinearHistogram.bucket(Long.MAX_VALUE));
        assertEquals(Long.MAX_VALUE, LogLinearHistogram.upperBound(LogLinearHistogram.buckets() - 1));
    }

    @Property
    void keepsEveryValueWithinOneSixtyFourth(@ForAll @LongRange(min = 0) long value) {
        int bucket = LogLinearHistogram.bucket(value);
        long upper = LogLinearHistogram.upperBound(bucket);
        assertTrue(value <= upper, value + " > " + upper);
        assertTrue(upper - value <= value / 64, value + " in a bucket up to " + upper);
        assertTrue(bucket == 0 || LogLinearHistogram.upperBound(bucket - 1) < value);
    }

    @Property
    void percentileIsTheSortedValueOrAtMostOneSixtyFourthMore(
            @ForAll @Size(min = 1, max = 200) List<@LongRange(min = 0, max = 1L << 40) Long> values,
            @ForAll @LongRange(min = 0, max = 100) long percent) {
        LogLinearHistogram histogram = new LogLinearHistogram();
        values.forEach(histogram::record);
        long exact = values.stream().sorted()
                .toList().get((int) Math.max(Math.ceil(values.size() * percent / 100.0), 1) - 1);
        long found = histogram.percentile(percent);
        assertTrue(found >= exact && found - exact <= exact / 64, found + " instead of " + exact);
    }

    @Test
    void knowsCountLeastGreatestAndMean() {
        LogLinearHistogram histogram = new LogLinearHistogram();
        for (long value : new long[]{1000, 3000, 2000}) {
            histogram.record(value);
        }
        assertEquals(3, histogram.count());
        assertEquals(1000, histogram.min());
        assertEquals(3000, histogram.max());
        assertEquals(2000.0, histogram.mean());
    }

    @Test
    void isAllZerosWhenEmpty() {
        LogLinearHistogram empty = new LogLinearHistogram();
        assertEquals(0, empty.count());
        assertEquals(0, empty.min());
        assertEquals(0, empty.max());
        assertEquals(0.0, empty.mean());
        assertEquals(0, empty.percentile(99));
    }

    @Test
    void countsANegativeValueAsZero() {
        LogLinearHistogram histogram = new LogLinearHistogram();
        histogram.record(-5);
        assertEquals(0, histogram.min());
        assertEquals(0, histogram.max());
        assertEquals(1, histogram.count());
    }

    @Test
    void addsUpTwoHistograms() {
        LogLinearHistogram one = new LogLinearHistogram();
        one.record(10);
        LogLinearHistogram two = new LogLinearHistogram();
        two.record(30);
        one.add(two);
        one.add(new LogLinearHistogram());
        assertEquals(2, one.count());
        assertEquals(10, one.min());
        assertEquals(30, one.max());
        assertEquals(20.0, one.mean());
        assertEquals(1, two.count());
    }

    @Test
    void refusesAPercentileThatIsNone() {
        LogLinearHistogram histogram = new LogLinearHistogram();
        assertThrows(IllegalArgumentException.class, () -> histogram.percentile(100.1));
        assertThrows(IllegalArgumentException.class, () -> histogram.percentile(Double.NaN));
    }
}
