package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TraceGroupsTest {
    private static final int INDEX = Tracepoint.index(40, 2);

    private static TraceGroup group(int number, String name, String tracepoint) {
        return TraceGroup.of(number, name,
                Tracepoint.of(Tracepoint.index(number, 0), tracepoint, TraceObject.NONE));
    }

    private static String refusal(TraceGroup... groups) {
        return assertThrows(IllegalArgumentException.class, () -> TraceGroups.of(List.of(groups))).getMessage();
    }

    @Test
    void hasThePeersThreadGroup() {
        TraceGroup thread = new ThreadTracepoints().groups().getFirst();
        assertEquals("thread", thread.name());
        assertEquals(0x400, thread.mask());
        assertEquals(List.of("THREAD_IOCH_GET", "THREAD_IOCH_PUT"),
                thread.tracepoints().stream().map(Tracepoint::name).toList());
        assertEquals(List.of(0, 1), thread.tracepoints().stream().map(Tracepoint::id).toList());
    }

    @Test
    void countsIndicesByGroup() {
        assertEquals(40 * 64 + 2, INDEX);
        Tracepoint tracepoint = Tracepoint.of(INDEX, "A", TraceObject.NONE);
        assertEquals(40, tracepoint.group());
        assertEquals(2, tracepoint.id());
        assertEquals(4, tracepoint.mask());
        assertEquals(Tracepoint.LIMIT - 1, Tracepoint.index(63, 63));
        assertThrows(IllegalArgumentException.class, () -> Tracepoint.index(64, 0));
        assertThrows(IllegalArgumentException.class, () -> Tracepoint.index(0, 64));
    }

    @Test
    void refusesTwoModulesThatClash() {
        assertEquals("trace groups a and b both have number 33", refusal(group(33, "a", "A"), group(33, "b", "B")));
        assertEquals("trace groups a and a both have name a", refusal(group(33, "a", "A"), group(34, "a", "B")));
        assertEquals("trace groups a and b both have tracepoint X", refusal(group(33, "a", "X"), group(34, "b", "X")));
    }

    @Test
    void refusesATracepointInTheWrongGroup() {
        Tracepoint tracepoint = Tracepoint.of(INDEX, "A", TraceObject.NONE);
        assertThrows(IllegalArgumentException.class, () -> TraceGroup.of(41, "other", tracepoint));
        assertThrows(IllegalArgumentException.class, () -> TraceGroup.of(40, "twice", tracepoint, tracepoint));
    }

    @Test
    void refusesNamesThatTheFileCannotHold() {
        Stream.of("", "A B", "Ä", "A".repeat(32), "A\u001b")
                .forEach(name -> assertThrows(IllegalArgumentException.class,
                        () -> Tracepoint.of(INDEX, name, TraceObject.NONE)));
        assertThrows(IllegalArgumentException.class, () -> TraceArgument.number("sixteen_letters_"));
        assertThrows(IllegalArgumentException.class, () -> new TraceObject("io", '\n'));
        assertThrows(IllegalArgumentException.class, () -> TraceGroup.of(1, "all"));
    }
}
