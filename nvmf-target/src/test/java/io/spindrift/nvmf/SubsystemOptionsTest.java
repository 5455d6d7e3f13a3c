package io.spindrift.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SubsystemOptionsTest {
    private static SubsystemOptions options(String serial, String model, String label, int minCntlid, int maxCntlid) {
        return new SubsystemOptions(serial, model, label, 32, false, minCntlid, maxCntlid, 0, 0, false, false);
    }

    private static String refusal(String serial, String model, String label, int minCntlid, int maxCntlid) {
        return assertThrows(IllegalArgumentException.class,
                () -> options(serial, model, label, minCntlid, maxCntlid)).getMessage();
    }

    private static void assertSays(String sentence, String message) {
        assertTrue(message.contains(sentence), message);
    }

    @Test
    void aSerialNumberHas20PrintableCharacters() {
        assertEquals(20, options("S".repeat(20), "", "", 1, 1).serialNumber().length());
        assertSays("has 21 characters; 20 are allowed", refusal("S".repeat(21), "", "", 1, 1));
        assertSays("serial_number=a\tb: character 2 (09h)", refusal("a\tb", "", "", 1, 1));
        assertSays("(E4h) is not printable ASCII", refusal("ä", "", "", 1, 1));
    }

    @Test
    void aModelNumberHas40PrintableCharacters() {
        assertEquals(40, options("", "M".repeat(40), "", 1, 1).modelNumber().length());
        assertSays("model_number=", refusal("", "M".repeat(41), "", 1, 1));
        assertSays("41 characters; 40 are allowed", refusal("", "M".repeat(41), "", 1, 1));
    }

    @Test
    void anAdminLabelIsEmptyOrHas4To256Characters() {
        options("", "", "L".repeat(256), 1, 1);
        assertSays("admin_label=abc has 3 characters; 4 to 256", refusal("", "", "abc", 1, 1));
        assertSays("257 characters; 256 are allowed", refusal("", "", "L".repeat(257), 1, 1));
    }

    @Test
    void controllerIdsAreFrom1To65519() {
        options("", "", "", 1, 0xFFEF);
        assertSays("min_cntlid=0 is outside 1..65519", refusal("", "", "", 0, 1));
        assertSays("max_cntlid=65520 is outside 1..65519", refusal("", "", "", 1, 0xFFF0));
        assertSays("min_cntlid=5 is more than max_cntlid=4", refusal("", "", "", 5, 4));
    }
}
