package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class FlagValuesTest {
    private static String refusal(Executable call) {
        return assertThrows(IllegalArgumentException.class, call).getMessage();
    }

    @Test
    void readsWholeNumbersInDecimalAndHexadecimal() {
        assertEquals(16, FlagValues.number("16", 0, 100));
        assertEquals(16, FlagValues.number("0x10", 0, 100));
        assertEquals(10, FlagValues.number("010", 0, 100));
        assertEquals(0, FlagValues.number("0", 0, 100));
        assertEquals(-1, FlagValues.number("-1", -1, 100));
    }

    @Test
    void refusesNumbersOutsideTheirRangeAndOtherText() {
        assertEquals("outside 1..64", refusal(() -> FlagValues.number("0", 1, 64)));
        for (String text : List.of("", "x", "1.5", "1k", "99999999999999999999")) {
            assertEquals("a whole number from 1 to 64 is needed", refusal(() -> FlagValues.number(text, 1, 64)));
        }
    }

    @Test
    void readsSizesWithUnitsThatArePowersOf1024() {
        assertEquals(4096, FlagValues.bytes("4096", 1, Long.MAX_VALUE));
        assertEquals(4096, FlagValues.bytes("4k", 1, Long.MAX_VALUE));
        assertEquals(4096, FlagValues.bytes("4KiB", 1, Long.MAX_VALUE));
        assertEquals(1 << 20, FlagValues.bytes("1M", 1, Long.MAX_VALUE));
        assertEquals(2L << 30, FlagValues.bytes("2G", 1, Long.MAX_VALUE));
        assertEquals(512, FlagValues.mebibytes("512", 0, 1 << 20));
        assertEquals(512, FlagValues.mebibytes("512M", 0, 1 << 20));
        assertEquals(2048, FlagValues.mebibytes("2G", 0, 1 << 20));
    }

    @Test
    void refusesSizesThatAreNoneOrOverflow() {
        for (String text : List.of("", "k", "4x", "-4k", "4.5k")) {
            assertEquals("a size is needed: a number, then nothing or k, M, G or T",
                    refusal(() -> FlagValues.bytes(text, 1, 1024)));
        }
        assertEquals("outside 1..1024 bytes", refusal(() -> FlagValues.bytes("2k", 1, 1024)));
        assertEquals("outside 1..1024 bytes", refusal(() -> FlagValues.bytes("99999999T", 1, 1024)));
    }

    @Test
    void readsRealNumbers() {
        assertEquals(0.5, FlagValues.real("0.5", 0, 1));
        assertEquals("outside 0.0..1.0", refusal(() -> FlagValues.real("NaN", 0, 1)));
        assertEquals("a number from 0.0 to 1.0 is needed", refusal(() -> FlagValues.real("x", 0, 1)));
    }

    @Test
    void readsOneOfSomeWords() {
        assertEquals("read", FlagValues.word("read", "read", "write"));
        assertEquals("one of read, write is needed", refusal(() -> FlagValues.word("trim", "read", "write")));
    }

    @Test
    void readsListsOfWords() {
        assertEquals(List.of("a", "b"), FlagValues.words("a, b,"));
        assertEquals("a list of names with commas between them is needed", refusal(() -> FlagValues.words(",")));
    }

    @Test
    void readsUuids() {
        assertEquals(new UUID(0x0011223344556677L, 0x8899aabbccddeeffL),
                FlagValues.uuid("00112233-4455-6677-8899-aabbccddeeff"));
        refusal(() -> FlagValues.uuid("1-2-3-4-5"));
    }

    @Test
    void readsPciAddresses() {
        assertEquals("0000:5e:00.0", FlagValues.pciAddress("0000:5e:00.0"));
        assertEquals("5e:1f.7", FlagValues.pciAddress("5e:1f.7"));
        for (String text : List.of("", "nvme0", "0000:5e:00.8", "0000:5e:20.0", "0000:5e:00")) {
            assertEquals("a PCI address like 0000:5e:00.0 is needed", refusal(() -> FlagValues.pciAddress(text)));
        }
    }

    @Test
    void limitsASocketsPathToWhatTheKernelTakes() {
        String longest = "/" + "x".repeat(106); // sun_path has 108 bytes, one of them the end
        assertEquals(longest, FlagValues.rpcAddress(longest));
        assertEquals("108 bytes are too long for a socket's path: the limit is 107",
                refusal(() -> FlagValues.rpcAddress(longest + "x")));
        assertEquals("a socket's path or IP:PORT is needed", refusal(() -> FlagValues.rpcAddress("")));
    }
}
