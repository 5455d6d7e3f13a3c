package io.spindrift.apps.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
    // The expected values are those of the shell: printf '<%s>' ...

    @Test
    void splitsAtBlanks() throws UsageException {
        assertEquals(List.of("a", "b", "c"), ShellWords.split("  a b\t c "));
        assertEquals(List.of(), ShellWords.split(" "));
    }

    @Test
    void keepsWhatIsQuotedTogether() throws UsageException {
        assertEquals(List.of("a b", "", "c'd\"\\e", "f\\ng"), ShellWords.split("'a b' \"\" \"c'd\\\"\\\\e\" 'f\\ng'"));
        assertEquals(List.of("ab cd"), ShellWords.split("a'b c'd"));
    }

    @Test
    void takesABackslashForAQuote() throws UsageException {
        assertEquals(List.of("a b", "\""), ShellWords.split("a\\ b \\\""));
    }

    @Test
    void refusesAnOpenQuote() {
        assertThrows(UsageException.class, () -> ShellWords.split("a 'b"));
    }
}
