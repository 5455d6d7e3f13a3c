package io.spindrift.nvmf.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TcpPatienceTest {
    private static final long LIMIT = TcpPatience.LIMIT_NANOS;
    /// A tick may be any number.
    private static final long START = Long.MAX_VALUE - 5;

    private final TcpPatience patience = new TcpPatience(START);

    private boolean over(long after) {
        return patience.isOver(START + after, true, false);
    }

    @Test
    void aHostMustConnectInTime() {
        assertFalse(patience.isOver(START + LIMIT, false, false));
        assertTrue(patience.isOver(START + LIMIT + 1, false, false));
        assertFalse(over(100 * LIMIT), "once connected it may be silent");
    }

    @Test
    void aPduThatComesInDripsMustBeWholeInTime() {
        patience.pduBegins(START + LIMIT);
        assertFalse(patience.isOver(START + 2 * LIMIT, true, true));
        assertTrue(patience.isOver(START + 2 * LIMIT + 1, true, true));
        assertFalse(patience.isOver(START + 9 * LIMIT, true, false), "between PDUs");
    }

    @Test
    void dataThatAreAskedForMustGoOnComing() {
        patience.transferBegins(START);
        patience.transferBegins(START);
        patience.transferGoesOn(START + LIMIT);
        assertFalse(over(2 * LIMIT));
        assertTrue(over(2 * LIMIT + 1));
        patience.transferEnds();
        assertTrue(over(2 * LIMIT + 1), "another is still under way");
        patience.transferEnds();
        assertFalse(over(2 * LIMIT + 1));
    }

    @Test
    void responsesMustGoOnBeingTaken() {
        patience.sendBegins(START);
        patience.sendBegins(START + LIMIT);
        assertTrue(over(LIMIT + 1), "what is queued later is no progress");
        patience.sendEnds(START + LIMIT);
        assertFalse(over(2 * LIMIT));
        assertTrue(over(2 * LIMIT + 1));
        patience.sendEnds(START + 2 * LIMIT);
        assertFalse(over(9 * LIMIT));
        patience.sendBegins(START + 9 * LIMIT);
        assertFalse(over(10 * LIMIT), "a pause before it does not count");
    }

    @Test
    void aTerminationIsOverSoon() {
        patience.terminates(START);
        assertFalse(patience.terminationIsOver(START + 1_000_000_000));
        assertTrue(patience.terminationIsOver(START + 3_000_000_000L));
    }

    @Test
    void changesWaitForAHostAShortTimeEach() {
        long limit = TcpPatience.CHANGE_NANOS;
        assertFalse(patience.keepsChangeTooLong(START, true));
        assertFalse(patience.keepsChangeTooLong(START + limit, true));
        assertFalse(patience.keepsChangeTooLong(START + limit + 1, false), "the change has been made");
        assertFalse(patience.keepsChangeTooLong(START + limit + 2, true), "another one");
        assertTrue(patience.keepsChangeTooLong(START + 2 * limit + 3, true));
    }
}
