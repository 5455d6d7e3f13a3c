package io.spindrift.apps.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// [Shuffle], [Zipf] and [XorShift] against arithmetic.
class RandomPlacesTest {
    @Test
    void aShuffleOfManyIsNotInOrder() {
        Shuffle shuffle = new Shuffle(1_000_000, new XorShift(3));
        long last = shuffle.next();
        int ascents = 0;
        int neighbours = 0;
        for (int i = 1; i < 100_000; i++) {
            long number = shuffle.next();
            ascents += number > last ? 1 : 0;
            neighbours += Math.abs(number - last) == 1 ? 1 : 0;
            last = number;
        }
        assertEquals(50_000, ascents, 1_000);
        assertTrue(neighbours < 100, neighbours + " neighbours");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 0.8, 1.0, 1.2, 3.0})
    void zipfFollowsItsLaw(double theta) {
        int count = 1000;
        int draws = 1_000_000;
        Zipf zipf = new Zipf(count, theta, new XorShift(7));
        int[] hits = new int[count];
        for (int i = 0; i < draws; i++) {
            hits[(int) zipf.next()]++;
        }
        double sum = 0;
        for (int k = 1; k <= count; k++) {
            sum += Math.pow(k, -theta);
        }
        for (int k : new int[]{1, 2, 3, 5, 10, 100, 1000}) {
            double p = Math.pow(k, -theta) / sum;
            double deviation = Math.sqrt(p * (1 - p) / draws);
            assertEquals(p, (double) hits[k - 1] / draws, 5 * deviation, "rank " + k);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 1L << 40, Long.MAX_VALUE})
    void zipfStaysInItsRange(long count) {
        Zipf zipf = new Zipf(count, 0.9, new XorShift(11));
        for (int i = 0; i < 10_000; i++) {
            long number = zipf.next();
            assertTrue(number >= 0 && number < count, () -> number + " of " + count);
        }
    }

    @Test
    void numbersBelowABoundAreUniform() {
        XorShift random = new XorShift(5);
        int[] hits = new int[10];
        for (int i = 0; i < 1_000_000; i++) {
            hits[(int) random.below(10)]++;
        }
        for (int hit : hits) {
            assertEquals(100_000, hit, 5 * Math.sqrt(1_000_000 * 0.09));
        }
    }

    @Test
    void aSeedOfZeroIsNoTrap() {
        assertTrue(new XorShift(0).next() != 0);
    }
}
