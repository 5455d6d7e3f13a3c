package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TraceSelectionTest {
    private static final long ALL = -1;

    private static Map<Integer, Long> parse(String text) {
        return TraceSelection.parse(text, TestGroups.ALL).masks();
    }

    private static String refusal(String text) {
        return assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage();
    }

    @Test
    void takesWhatThePeersManualShows() {
        // spdk.io/doc/nvmf_tgt_tracepoints: -e 0xFFFF, -e all, -e 0x10:B, -e nvmf_rdma:B, -e 0x10:2,0x400
        assertEquals(Map.of(3, ALL, 10, ALL), parse("0xFFFF"));
        assertEquals(Map.of(3, ALL, 10, ALL, 63, ALL), parse("all"));
        assertEquals(Map.of(3, 0xBL), parse("0x8:B"));
        assertEquals(Map.of(3, 0xBL), parse("bdev:B"));
        assertEquals(Map.of(3, 2L, 10, ALL), parse("0x8:2,0x400"));
        assertEquals(Map.of(3, 1L, 10, ALL), parse("thread,bdev:0x1"));
    }

    @Test
    void takesTracepointsByName() {
        assertEquals(Map.of(3, 3L), parse("bdev:BDEV_IO_START+BDEV_IO_DONE"));
        assertEquals(Map.of(3, 2L, 10, 1L), parse("0xFFFF:BDEV_IO_DONE+THREAD_IOCH_GET"));
    }

    @Test
    void addsUpWhatIsSaidTwice() {
        assertEquals(Map.of(3, 3L), parse("bdev:1,bdev:2"));
        assertEquals(Map.of(3, ALL), parse("bdev:1,bdev"));
        assertEquals(Map.of(3, ALL), parse("bdev,bdev:1"));
    }

    @Test
    void takesTheHighestBit() {
        assertEquals(Map.of(63, ALL), parse("8000000000000000"));
        assertEquals(Map.of(63, Long.MIN_VALUE), parse("last:0x8000000000000000"));
        assertEquals(Map.of(63, Long.MIN_VALUE), parse("last:LAST_OF_ALL"));
    }

    @Test
    void saysWhichGroupsThereAre() {
        assertEquals(
                "there is no tracepoint group nvmf; there are bdev (0x8), thread (0x400), last (0x8000000000000000),"
                        + " all",
                refusal("nvmf"));
        assertEquals("tracepoint group mask 0x1 selects no group; there are bdev (0x8), thread (0x400), "
                + "last (0x8000000000000000)", refusal("0x1"));
        assertTrue(refusal("").startsWith("there is no tracepoint group \"\""));
        assertTrue(refusal("bdev,").startsWith("there is no tracepoint group \"\""));
        assertTrue(refusal("0x10000000000000000").startsWith("there is no tracepoint group 0x1000"));
    }

    @Test
    void saysWhichTracepointsThereAre() {
        assertEquals(
                "group bdev has no tracepoint BDEV_IO_STAR; there are BDEV_IO_START, BDEV_IO_DONE, BDEV_IOCH_CREATE",
                refusal("bdev:BDEV_IO_STAR"));
        assertTrue(refusal("bdev:").startsWith("group bdev has no tracepoint \"\""));
        assertTrue(refusal("bdev:BDEV_IO_START+").startsWith("group bdev has no tracepoint \"\""));
        assertTrue(refusal("bdev:BDEV_IO_START:1").startsWith("group bdev has no tracepoint BDEV_IO_START:1"));
        assertEquals("tracepoint mask 0x0 selects nothing", refusal("bdev:0x0"));
    }

    private record Entry(String text, Map<Integer, Long> masks) {}

    @Provide
    Arbitrary<List<Entry>> entries() {
        Arbitrary<TraceGroup> group = Arbitraries.of(TestGroups.ALL.all());
        Arbitrary<Long> mask = Arbitraries.longs().filter(bits -> bits != 0);
        Arbitrary<Entry> byMask = Combinators.combine(group, mask, Arbitraries.of(true, false))
                .as((g, m, hex) -> new Entry(
                        (hex ? "0x" + Long.toHexString(g.mask()) : g.name()) + ":" + Long.toHexString(m),
                        Map.of(g.number(), m)));
        Arbitrary<Entry> whole = group.map(g -> new Entry(g.name(), Map.of(g.number(), ALL)));
        Arbitrary<Entry> byName = group.flatMap(g -> Arbitraries.of(g.tracepoints()).set().ofMinSize(1)
                .map(points -> new Entry(
                        g.name() + ":" + String.join("+", points.stream().map(Tracepoint::name).toList()),
                        Map.of(g.number(), points.stream().mapToLong(Tracepoint::mask).sum()))));
        return Arbitraries.oneOf(byMask, whole, byName).list().ofMinSize(1).ofMaxSize(6);
    }

    @Property
    void isTheUnionOfItsEntries(@ForAll("entries") List<Entry> entries) {
        Map<Integer, Long> expected = new TreeMap<>();
        List<String> texts = new ArrayList<>();
        for (Entry entry : entries) {
            texts.add(entry.text());
            entry.masks().forEach((group, mask) -> expected.merge(group, mask, (a, b) -> a | b));
        }
        assertEquals(expected, parse(String.join(",", texts)));
    }

    @Property
    void eitherSelectsSomethingOrIsRefusedWithASentence(@ForAll("noise") String text) {
        try {
            Map<Integer, Long> masks = parse(text);
            assertTrue(!masks.isEmpty() && !masks.containsValue(0L));
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage().contains("there are") || e.getMessage().contains("selects nothing"),
                    e.getMessage());
        }
    }

    @Provide
    Arbitrary<String> noise() {
        return Arbitraries
                .of("bdev", "thread", "all", "0x", "8", "F", "0", ":", "+", ",", "BDEV_IO_DONE", " ", "x", "-")
                .list().ofMaxSize(8).map(parts -> String.join("", parts));
    }
}
