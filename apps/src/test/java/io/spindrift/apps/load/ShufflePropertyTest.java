package io.spindrift.apps.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.BitSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ShufflePropertyTest {
    @Property(tries = 200)
    void aShuffleGivesEachNumberOnceInEachOfThreeRounds(@ForAll @IntRange(min = 1, max = 5000) int count,
            @ForAll long seed) {
        Shuffle shuffle = new Shuffle(count, new XorShift(seed));
        for (int round = 0; round < 3; round++) {
            BitSet seen = new BitSet();
            for (int i = 0; i < count; i++) {
                int number = (int) shuffle.next();
                assertFalse(seen.get(number));
                seen.set(number);
            }
            assertEquals(count, seen.cardinality());
        }
    }
}
