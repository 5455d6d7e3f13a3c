package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NqnTest {
    private static final String PREFIX = "nqn.2016-06.io.spindrift:";

    @ParameterizedTest
    @ValueSource(strings = {"nqn.2014-08.org.nvmexpress.discovery",
            "nqn.2014-08.com.example:nvme:nvm-subsystem-sn-d78432",
            "nqn.2016-06.io.spdk:cnode1", "nqn.2014-08.org.nvmexpress:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "nqn.2014-08.org.nvmexpress:uuid:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
            "nqn.2014-08.org.nvmexpress:uuid:f81d4fae7dec11d0a76500a0c91e6bf6",
            "nqn.2014-08.org.nvmexpress:NVMf:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "nqn.2014-08.a:b",
            "nqn.2014-08.com.ex-ample.a1:ü"})
    void acceptsNames(String nqn) {
        assertEquals(Optional.empty(), Nqn.problem(nqn));
        assertTrue(Nqn.isValid(nqn));
        assertEquals(nqn, Nqn.check("nqn", nqn));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nqn", "nqn.", "iqn.2014-08.com.example:a", "NQN.2014-08.com.example:a",
            "nqn.2014.com.example:a",
            "nqn.14-08.com.example:a", "nqn.2014-8.com.example:a", "nqn.2014-08:a", "nqn.2014-08.:a",
            "nqn.2014-08.com.example",
            "nqn.2014-08.com.example:", "nqn.2014-08.com..example:a", "nqn.2014-08.com.example.:a",
            "nqn.2014-08.1com.example:a", "nqn.2014-08.com.-example:a", "nqn.2014-08.com.example-:a",
            "nqn.2014-08.com.ex_ample:a", "nqn.2014-08.org.nvmexpress:uuid:",
            "nqn.2014-08.org.nvmexpress:uuid:f81d4fae",
            "nqn.2014-08.org.nvmexpress:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf",
            "nqn.2014-08.org.nvmexpress:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bfg",
            "nqn.2014-08.org.nvmexpress:uuid:f81d4fae7-dec-11d0-a765-00a0c91e6bf6",
            "nqn.2014-08.org.nvmexpress:uuid:f81d4fae7dec11d0a76500a0c91e6bf"})
    void refusesNames(String nqn) {
        assertFalse(Nqn.isValid(nqn));
        assertTrue(Nqn.problem(nqn).orElseThrow().startsWith("NQN \"" + nqn + "\" "));
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
    void refusesAParametersValueWithAReason(String nqn, String reason) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Nqn.check("host", nqn));
        assertTrue(refused.getMessage().startsWith("host=" + nqn + " is no NQN: it "), refused.getMessage());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @Test
    void countsBytesOfUtf8UpTo223() {
        assertTrue(Nqn.isValid(PREFIX + "x".repeat(223 - PREFIX.length())));
        String name = PREFIX + "x".repeat(224 - PREFIX.length());
        assertEquals(Optional.of("NQN \"" + name + "\" has 224 bytes; 223 are allowed"), Nqn.problem(name));
        assertFalse(Nqn.isValid(PREFIX + "é".repeat(100)));
        assertTrue(Nqn.isValid(PREFIX + "é".repeat(99)));
    }

    @Test
    void limitsLabelsOfDomainsTo63() {
        assertTrue(Nqn.isValid("nqn.2014-08.com." + "a".repeat(63) + ":x"));
        assertFalse(Nqn.isValid("nqn.2014-08.com." + "a".repeat(64) + ":x"));
    }

    @Test
    void namesAHostByItsUuid() {
        UUID uuid = UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
        assertEquals("nqn.2014-08.org.nvmexpress:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", Nqn.of(uuid));
        assertTrue(Nqn.isDiscovery("nqn.2014-08.org.nvmexpress.discovery"));
        assertFalse(Nqn.isDiscovery(Nqn.of(uuid)));
    }
}
