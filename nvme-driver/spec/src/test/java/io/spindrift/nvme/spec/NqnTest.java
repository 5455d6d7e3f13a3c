package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    @Test
    void countsBytesOfUtf8UpTo223() {
        assertTrue(Nqn.isValid(PREFIX + "x".repeat(223 - PREFIX.length())));
        String name = PREFIX + "x".repeat(224 - PREFIX.length());
        assertEquals(Optional.of("NQN \"" + name + "\" has 224 bytes, the limit is 223"), Nqn.problem(name));
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
