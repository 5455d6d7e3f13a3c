package io.spindrift.bdev.dif;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GuardCrcTest {
    private static long guard(PiFormat format, byte[] bytes) {
        GuardCrc crc = new GuardCrc(format);
        crc.start();
        crc.add(MemorySegment.ofArray(bytes), 0, bytes.length);
        return crc.value();
    }

    private static byte[] bytes(int length, IntUnaryOperator value) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) value.applyAsInt(i);
        }
        return bytes;
    }

    /// The check values of the CRC catalogue: CRC-16/T10-DIF, CRC-32/ISCSI, CRC-64/NVME.
    @Test
    void givesTheCataloguesCheckValues() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertEquals(0xD0DBL, guard(PiFormat.GUARD_16, digits));
        assertEquals(0xE3069283L, guard(PiFormat.GUARD_32, digits));
        assertEquals(0xAE8B14860A799888L, guard(PiFormat.GUARD_64, digits));
    }

    /// SBC-3, table "Protection information CRC test cases": 32 bytes.
    @Test
    void givesTheTestCasesOfTheScsiBlockCommands() {
        assertEquals(0x0000L, guard(PiFormat.GUARD_16, bytes(32, _ -> 0)));
        assertEquals(0xA293L, guard(PiFormat.GUARD_16, bytes(32, _ -> 0xFF)));
        assertEquals(0x0224L, guard(PiFormat.GUARD_16, bytes(32, i -> i)));
        assertEquals(0x21B8L, guard(PiFormat.GUARD_16, bytes(32, i -> i < 2 ? 0xFF : 0)));
        assertEquals(0xA0B7L, guard(PiFormat.GUARD_16, bytes(32, i -> 0xFF - i)));
    }

    /// NVM Command Set specification, "32b CRC Test Cases" and "64b CRC Test Cases": 4 KiB without metadata.
    @ParameterizedTest
    @CsvSource({"GUARD_32, 98F94189, 25C1FE13, 9C71FE32, 214941A8",
            "GUARD_64, 6482D367EB22B64E, C0DDBA7302ECA3AC, 3E729F5F6750449C, 9A2DF64B8E9E517E"})
    void givesTheTestCasesOfTheNvmCommandSet(PiFormat format, String zeros, String ones, String rising,
            String falling) {
        assertEquals(Long.parseUnsignedLong(zeros, 16), guard(format, bytes(4096, _ -> 0)));
        assertEquals(Long.parseUnsignedLong(ones, 16), guard(format, bytes(4096, _ -> 0xFF)));
        assertEquals(Long.parseUnsignedLong(rising, 16), guard(format, bytes(4096, i -> i)));
        assertEquals(Long.parseUnsignedLong(falling, 16), guard(format, bytes(4096, i -> 0xFF - i)));
    }

    @ParameterizedTest
    @EnumSource
    void agreesWithTheBitwiseDefinitionAtEveryLengthAroundItsSteps(PiFormat format) {
        byte[] random = new byte[8300];
        new Random(20261130).nextBytes(random);
        for (int length = 0; length <= 700; length++) {
            byte[] some = bytes(length, i -> random[i]);
            assertEquals(ReferenceCrc.guard(format, some, 0, length), guard(format, some), "length " + length);
        }
        for (int length : new int[]{4095, 4096, 4097, 4104, 4096 + 191, 4096 + 192, 8191, 8192, 8300}) {
            byte[] some = bytes(length, i -> random[i]);
            assertEquals(ReferenceCrc.guard(format, some, 0, length), guard(format, some), "length " + length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNotDependOnThePortionsItIsGiven(PiFormat format) {
        byte[] random = new byte[5000];
        Random source = new Random(42);
        source.nextBytes(random);
        long expected = guard(format, random);
        MemorySegment segment = MemorySegment.ofArray(random);
        for (int round = 0; round < 200; round++) {
            GuardCrc crc = new GuardCrc(format);
            crc.start();
            for (int at = 0; at < random.length;) {
                int portion = Math.min(random.length - at, 1 + source.nextInt(round % 2 == 0 ? 40 : 2000));
                crc.add(segment, at, portion);
                at += portion;
            }
            assertEquals(expected, crc.value());
        }
    }

    /// x^(8·106) = x^(8·22) + x^(8·5) + 1 modulo the polynomial: the identity that folding rests on.
    @Test
    void foldsByAMultipleOfThePolynomial() {
        int folded = 0;
        for (int later : new int[]{Crc16T10Dif.FIRST_FOLD, Crc16T10Dif.SECOND_FOLD, Crc16T10Dif.THIRD_FOLD}) {
            folded ^= powerOfX(8 * (Crc16T10Dif.THIRD_FOLD - later));
        }
        assertEquals(powerOfX(8 * Crc16T10Dif.THIRD_FOLD), folded);
    }

    private static int powerOfX(int exponent) {
        int remainder = 1;
        for (int i = 0; i < exponent; i++) {
            remainder <<= 1;
            if ((remainder & 0x10000) != 0) {
                remainder ^= 0x10000 | Crc16T10Dif.POLYNOMIAL;
            }
        }
        return remainder;
    }
}
