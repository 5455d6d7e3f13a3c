package io.spindrift.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransportAddressTest {
    private static TransportAddress parse(String trtype, String adrfam, String traddr, String trsvcid) {
        return TransportAddress.parse(trtype, Optional.of(adrfam), traddr, Optional.of(trsvcid));
    }

    @Test
    void isTheSameInUpperAndLowerCase() {
        TransportAddress upper = parse("TCP", "IPv6", "FE80::1", "4420");
        TransportAddress lower = parse("tcp", "ipv6", "fe80::1", "4420");
        assertEquals(upper, lower);
        assertEquals(upper.hashCode(), lower.hashCode());
        assertEquals("TCP", lower.trtype());
        assertNotEquals(upper, parse("TCP", "IPv6", "FE80::1", "4421"));
        assertNotEquals(upper, parse("RDMA", "IPv6", "FE80::1", "4420"));
    }

    @Test
    void hasTheFamilyOfTheAddressUnlessSaidOtherwise() {
        assertEquals(AddressFamily.IPV4,
                TransportAddress.parse("TCP", Optional.empty(), "127.0.0.1", Optional.empty()).adrfam());
        assertEquals(AddressFamily.IPV6,
                TransportAddress.parse("TCP", Optional.empty(), "::1", Optional.empty()).adrfam());
    }

    /// The fields of a discovery log entry: NVMe over Fabrics 1.1, 5.4.
    @Test
    void refusesWhatADiscoveryLogEntryCannotHold() {
        parse("TCP", "IPv4", "a".repeat(256), "1".repeat(32));
        String address = assertThrows(IllegalArgumentException.class,
                () -> parse("TCP", "IPv4", "a".repeat(257), "1")).getMessage();
        assertTrue(address.contains("257 bytes; 1 to 256 are allowed"), address);
        String port = assertThrows(IllegalArgumentException.class,
                () -> parse("TCP", "IPv4", "a", "1".repeat(33))).getMessage();
        assertTrue(port.contains("trsvcid="), port);
        String family = assertThrows(IllegalArgumentException.class, () -> parse("TCP", "IPv5", "a", "1"))
                .getMessage();
        assertTrue(family.contains("adrfam=IPv5"), family);
        assertThrows(IllegalArgumentException.class, () -> parse("TCP", "IPv4", "", "1"));
    }
}
