package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CodecPropertyTest {
    enum Color {
        RED, @RpcName("Dark-Blue")
        DARK_BLUE
    }

    record Inner(int small, Optional<String> text) {}

    record Outer(String text, long number, double decimal, boolean flag, Color color, List<Integer> numbers,
            List<Inner> inners, Optional<Inner> inner, OptionalInt i, OptionalLong l, OptionalDouble d,
            Optional<UUID> uuid, Optional<Color> maybe) {}

    @Property(tries = 300)
    void whatIsWrittenReadsAsTheSame(@ForAll("outers") Outer outer) {
        String compact = Json.compact(Json.tree(outer));
        assertEquals(outer, RecordShape.of(Outer.class).decode(Json.parse(compact)));
        String indented = Json.indented(Json.tree(outer), 2);
        assertEquals(outer, RecordShape.of(Outer.class).decode(Json.parse(indented)));
    }

    @Provide
    Arbitrary<Outer> outers() {
        Arbitrary<String> texts = Arbitraries.of("a", "Z_", "\"", "\\", "/", "\n", "\u0001", "é", "😀").list()
                .ofMaxSize(20).map(parts -> String.join("", parts));
        Arbitrary<Integer> ints = Arbitraries.integers();
        Arbitrary<Inner> inners = Combinators.combine(ints, texts.optional()).as(Inner::new);
        Arbitrary<Long> longs = Arbitraries.longs();
        Arbitrary<Double> doubles = Arbitraries.doubles();
        Arbitrary<Color> colors = Arbitraries.of(Color.class);
        Arbitrary<Outer> base = Combinators.combine(texts, longs, doubles, Arbitraries.of(true, false), colors,
                ints.list().ofMaxSize(5), inners.list().ofMaxSize(3), inners.optional())
                .as((text, number, decimal, flag, color, numbers, list, inner) -> new Outer(text, number, decimal, flag,
                        color, numbers, list, inner, OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty(),
                        Optional.empty(), Optional.empty()));
        return Combinators.combine(base, ints, longs, doubles, Arbitraries.create(UUID::randomUUID), colors.optional())
                .as((o, i, l, d, uuid, maybe) -> new Outer(o.text(), o.number(), o.decimal(), o.flag(), o.color(),
                        o.numbers(), o.inners(), o.inner(), OptionalInt.of(i), OptionalLong.of(l),
                        OptionalDouble.of(d), Optional.of(uuid), maybe));
    }
}
