package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PairTableTest {
    /// Ids whose home slots collide in runs: multiples of 2^40 differ in few of the bits that the hash looks at.
    private static long id(int small) {
        return (small % 2 == 0 ? 1L << 40 : 1L) * small;
    }

    @Property
    void behavesAsAMap(@ForAll @Size(max = 400) List<@IntRange(min = -40, max = 40) Integer> steps) {
        PairTable table = new PairTable();
        Map<Long, Long> model = new HashMap<>();
        long tick = 100;
        for (int step : steps) {
            long id = id(Math.abs(step));
            tick++;
            if (step >= 0) {
                assertTrue(table.put(id, tick));
                model.put(id, tick);
            } else {
                Long expected = model.remove(id);
                assertEquals(expected == null ? PairTable.ABSENT : expected, table.remove(id));
            }
            assertEquals(model.size(), table.size());
        }
        model.forEach((id, start) -> assertEquals(start, table.remove(id)));
    }

    @Test
    void refusesOneMoreThanItHoldsAndTakesItOnceThereIsRoom() {
        PairTable table = new PairTable();
        for (int i = 0; i < PairTable.MAX_OBJECTS; i++) {
            assertTrue(table.put(i, i));
        }
        assertFalse(table.put(-1, 5));
        assertTrue(table.put(7, 70)); // known already
        assertEquals(70, table.remove(7));
        assertTrue(table.put(-1, 5));
        assertEquals(5, table.remove(-1));
        assertEquals(PairTable.ABSENT, table.remove(-1));
    }
}
