package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    private final List<String> seen = new ArrayList<>();
    private final CommandLine line = new CommandLine("prog", "prog 1.2", List.of(
            Flag.value("-q/--depth", "N", "queue depth", text -> seen.add("q=" + FlagValues.number(text, 1, 64))),
            Flag.value("--cpumask", "MASK", "cores", text -> seen.add("mask=" + text)),
            Flag.value("--cpus", "N", "number", text -> seen.add("cpus=" + text)),
            Flag.toggle("-f/--force", "go on", () -> seen.add("f"))),
            List.of(Flag.toggle("-l", "latencies; twice for a histogram", () -> seen.add("l"))));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private OptionalInt parse(String... args) {
        return line.parse(args, new PrintStream(out, true), new PrintStream(err, true));
    }

    private String refusal(String... args) {
        return assertThrows(UsageException.class, () -> line.apply(args)).getMessage();
    }

    @Test
    void takesAValueApartOrAttached() {
        assertEquals(OptionalInt.empty(), parse("-q", "16", "-q16", "--depth", "8", "--depth=8"));
        assertEquals(List.of("q=16", "q=16", "q=8", "q=8"), seen);
    }

    @Test
    void takesSeveralFlagsInOneAndTheSameTwice() {
        assertEquals(OptionalInt.empty(), parse("-ll", "-flq7"));
        assertEquals(List.of("l", "l", "f", "l", "q=7"), seen);
    }

    @Test
    void takesAnEmptyValueAfterAnEqualsSign() {
        parse("--cpumask=");
        assertEquals(List.of("mask="), seen);
    }

    @Test
    void takesTheNextArgumentAsAValueEvenIfItLooksLikeAFlag() {
        parse("--cpumask", "-q");
        assertEquals(List.of("mask=-q"), seen);
    }

    @Test
    void takesAnAbbreviationThatOnlyOneFlagHas() {
        assertEquals(OptionalInt.empty(), parse("--dep", "3", "--cpum=1", "--cpus", "2"));
        assertEquals(List.of("q=3", "mask=1", "cpus=2"), seen);
    }

    @Test
    void refusesAnAbbreviationThatTwoFlagsHave() {
        assertEquals("--cpu could be any of --cpumask, --cpus", refusal("--cpu", "1"));
    }

    @Test
    void refusesAnUnknownFlagWithTheUsageAndStatusTwo() {
        for (String flag : List.of("--none", "-y", "-fy")) {
            err.reset();
            assertEquals(OptionalInt.of(2), parse(flag));
            assertTrue(err.toString().startsWith("prog: unknown flag -"), err.toString());
            assertTrue(err.toString().contains("\nUsage: prog [FLAG [VALUE]]...\n"), err.toString());
        }
    }

    @Test
    void refusesAnArgumentThatIsNoFlag() {
        assertEquals("unexpected argument 'file'", refusal("-f", "file"));
        assertEquals("unexpected argument '-'", refusal("-"));
    }

    @Test
    void refusesAMissingValueAndAValueTooMany() {
        assertEquals("-q needs a value: N", refusal("-q"));
        assertEquals("--depth needs a value: N", refusal("--depth"));
        assertEquals("--force takes no value, but '1' was given", refusal("--force=1"));
    }

    @Test
    void namesFlagValueAndLimitOfABadValueWithoutTheUsage() {
        assertEquals(OptionalInt.of(2), parse("-q", "65"));
        assertEquals("prog: -q 65: outside 1..64\n", err.toString());
        assertEquals("--depth x: a whole number from 1 to 64 is needed", refusal("--depth", "x"));
    }

    @Test
    void printsTheUsageWhenAskedAndEndsWithStatusZero() {
        assertEquals(OptionalInt.of(0), parse("-h", "--none"));
        assertEquals("""
                Usage: prog [FLAG [VALUE]]...
                  -q, --depth N                       queue depth
                      --cpumask MASK                  cores
                      --cpus N                        number
                  -f, --force                         go on
                  -l                                  latencies; twice for a histogram
                  -h, --help                          print this and end
                  -v, --version                       print the version and end
                """, out.toString());
    }

    @Test
    void printsTheVersionWhenAskedAndEndsWithStatusZero() {
        assertEquals(OptionalInt.of(0), parse("--version"));
        assertEquals("prog 1.2\n", out.toString());
    }

    @Test
    void refusesToBeMadeWithTwoFlagsOfOneName() {
        Flag one = Flag.toggle("-f", "one", () -> {});
        var refused = assertThrows(IllegalArgumentException.class,
                () -> new CommandLine("prog", "1", List.of(one), List.of(one)));
        assertTrue(refused.getMessage().contains("flag=-f"), refused.getMessage());
    }

    @Test
    void leavesTheNamesOfHelpAndVersionToProgramsThatHaveOtherUsesForThem() {
        CommandLine other = CommandLine.withoutVersion("prog", "-H/--usage",
                List.of(Flag.value("-v", "MODE", "mode", text -> seen.add("v=" + text))));
        assertEquals(OptionalInt.empty(), other.parse(new String[]{"-v", "pa"}, new PrintStream(out, true),
                new PrintStream(err, true)));
        assertEquals(List.of("v=pa"), seen);
        assertEquals(OptionalInt.of(0),
                other.parse(new String[]{"-H"}, new PrintStream(out, true), new PrintStream(err, true)));
        assertTrue(out.toString().startsWith("Usage: prog "), out::toString);
        assertEquals(OptionalInt.of(2),
                other.parse(new String[]{"-h"}, new PrintStream(out, true), new PrintStream(err, true)));
    }
}
