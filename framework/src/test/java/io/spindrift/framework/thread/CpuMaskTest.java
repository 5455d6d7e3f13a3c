package io.spindrift.framework.thread;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuMaskTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"0x3|0,1", "0XF|0,1,2,3", "3|0,1", "[0,1,4-7]|0,1,4,5,6,7", "[ 2 - 3 ]|2,3",
            "0x8000000000000000F|0,1,2,3,67"})
    void readsWhatUsersWrite(String text, String cores) {
        assertArrayEquals(java.util.Arrays.stream(cores.split(",")).mapToInt(Integer::parseInt).toArray(),
                CpuMask.parse(text).cores());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"zz|'z' is no hexadecimal digit", "0x|hexadecimal mask of 1 to",
            "0|names no core",
            "[1|no closing", "[3-1]|'3-1' is no core", "[]|'' is no core number", "[1024]|core 1024 is outside 0..1023",
            "[1-2-3]|no core or range"})
    void saysWhatIsWrong(String text, String reason) {
        String message = assertThrows(IllegalArgumentException.class, () -> CpuMask.parse(text)).getMessage();
        assertTrue(message.startsWith("cpumask '" + text + "': "), message);
        assertTrue(message.contains(reason), message);
    }

    @Test
    void writesLowerCaseHexadecimal() {
        assertEquals("1", CpuMask.of(0).hex());
        assertEquals("f0", CpuMask.of(4, 5, 6, 7).hex());
        assertEquals("0x80000000000000001", CpuMask.of(0, 67).toString());
    }
}
