package io.spindrift.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// NVM Express Base 2.0, 4.5.
class NqnTest {
    private static final String PREFIX = "nqn.2016-06.io.spdk:";

    @ParameterizedTest
    @ValueSource(strings = {"nqn.2014-08.org.nvmexpress.discovery", "nqn.2016-06.io.spdk:cnode1",
            "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555",
            "nqn.2014-08.org.nvmexpress:uuid:11111111222233334444555555555555", "nqn.2014-08.com.a-b.c3:ä b"})
    void acceptsTheStandardsForms(String nqn) {
        assertEquals(nqn, Nqn.check("nqn", nqn));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                                    | must begin with 'nqn.'
            bad nqn                                                               | must begin with 'nqn.'
            nqn.x:y                                                               | a year and a month
            nqn.2016-6.io.spdk:x                                                  | a year and a month
            nqn.2016-06.io.spdk                                                   | a ':' and a name
            nqn.2016-06.io.spdk:                                                  | a ':' and a name
            nqn.2016-06.io.-spdk:x                                                | '-spdk'
            nqn.2016-06.io.spdk-:x                                                | 'spdk-'
            nqn.2016-06.io.3com:x                                                 | '3com'
            nqn.2016-06.io..spdk:x                                                | ''
            nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444               | is no UUID
            nqn.2014-08.org.nvmexpress:uuid:1111111g-2222-3333-4444-555555555555  | is no UUID
            """)
    void refusesOthersWithAReason(String nqn, String reason) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Nqn.check("host", nqn));
        assertTrue(refused.getMessage().startsWith("host=" + nqn), refused.getMessage());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @Test
    void allows223Bytes() {
        String longest = PREFIX + "a".repeat(223 - PREFIX.length());
        assertEquals(longest, Nqn.check("nqn", longest));
        String tooLong = assertThrows(IllegalArgumentException.class, () -> Nqn.check("nqn", longest + "a"))
                .getMessage();
        assertTrue(tooLong.contains("224 bytes; 223 are allowed"), tooLong);
    }

    @Test
    void countsBytesNotCharacters() {
        String umlauts = PREFIX + "ä".repeat((223 - PREFIX.length()) / 2 + 1); // two bytes each
        assertThrows(IllegalArgumentException.class, () -> Nqn.check("nqn", umlauts));
    }
}
