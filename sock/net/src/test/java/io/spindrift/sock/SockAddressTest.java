package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SockAddressTest {
    /// The forms of RFC 5952, 4: no leading zeroes, `::` for the first of the longest runs but not for one group, lower case.
    @ParameterizedTest
    @CsvSource({"192.0.2.1, 192.0.2.1", "0.0.0.0, 0.0.0.0", "::, ::", "0:0:0:0:0:0:0:1, ::1", "::1, ::1",
            "2001:0db8::0001, 2001:db8::1", "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
            "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1", "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
            "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1", "2001:DB8:AAAA:0:0:0:0:0, 2001:db8:aaaa::",
            "fe80:0:0:0:204:61ff:fe9d:f156, fe80::204:61ff:fe9d:f156"})
    void addressesHaveTheirUsualForm(String given, String usual) {
        assertEquals(usual, SockAddress.of(given, 1).host());
    }
}
