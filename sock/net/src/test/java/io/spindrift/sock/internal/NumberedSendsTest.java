package io.spindrift.sock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NumberedSendsTest {
    private final NumberedSends sends = new NumberedSends();

    private void take(int count) {
        for (int i = 0; i < count; i++) {
            sends.take();
        }
    }

    @Test
    void endsOnlyWhatHasNoEarlierOneUnderWay() {
        take(10);
        assertEquals(2, sends.end(3, 4));
        assertEquals(0, sends.base());
        assertEquals(3, sends.end(0, 2));
        assertEquals(5, sends.base());
        assertEquals(5, sends.end(5, 9));
        assertEquals(10, sends.base());
    }

    @Test
    void isFullWithAWindowUnderWay() {
        take(NumberedSends.WINDOW);
        assertFalse(sends.available());
        sends.end(0, 0);
        assertTrue(sends.available());
    }

    @Test
    void ignoresNumbersThatAreNotUnderWay() {
        take(5);
        sends.end(0, 1);
        assertEquals(0, sends.end(0, 1));
        assertEquals(0, sends.end(4, 5));
        assertEquals(0, sends.end(4, 3));
        assertEquals(0, sends.end(Integer.MIN_VALUE, Integer.MAX_VALUE));
        assertEquals(2, sends.base());
    }

    @Test
    void countsOnWhereTheKernelsNumbersWrap() {
        NumberedSends late = new NumberedSends((1L << 32) - 3);
        for (int i = 0; i < 6; i++) {
            late.take();
        }
        assertEquals(2, late.end(1, 2));
        assertEquals(4, late.end(-3, 0));
        assertEquals((1L << 32) + 3, late.base());
    }
}
