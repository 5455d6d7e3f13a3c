package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.identify.NamespaceDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IdentifiersTest {
    private static final String DIGITS = "ce2a2fc12e6f4b8d9a03f1d2c3b4a596";
    private final byte[] bytes = new byte[64];
    private final MemorySegment segment = MemorySegment.ofArray(bytes);

    private String hex(int from, int length) {
        return HexFormat.of().formatHex(Arrays.copyOfRange(bytes, from, from + length));
    }

    @Test
    void writeTheirDigitsInOrder() {
        Nguid nguid = Nguid.parse(DIGITS);
        nguid.write(segment, 3);
        assertEquals(DIGITS, hex(3, 16));
        assertEquals(nguid, Nguid.read(segment, 3));
        assertEquals(DIGITS, nguid.toString());

        Eui64 eui64 = Eui64.parse("002538FFFFFFFF01");
        eui64.write(segment, 21);
        assertEquals("002538ffffffff01", hex(21, 8));
        assertEquals(eui64, Eui64.read(segment, 21));
        assertEquals("002538ffffffff01", eui64.toString());

        UUID uuid = UUID.fromString("ce2a2fc1-2e6f-4b8d-9a03-f1d2c3b4a596");
        WireUuid.write(segment, 31, uuid);
        assertEquals(DIGITS, hex(31, 16));
        assertEquals(uuid, WireUuid.read(segment, 31));
    }

    @Test
    void refuseOtherText() {
        assertEquals("nguid=" + DIGITS + "0 must be 32 hexadecimal digits",
                assertThrows(IllegalArgumentException.class, () -> Nguid.parse(DIGITS + "0")).getMessage());
        assertEquals("eui64=00253 must be 16 hexadecimal digits",
                assertThrows(IllegalArgumentException.class, () -> Eui64.parse("00253")).getMessage());
        assertThrows(IllegalArgumentException.class, () -> Eui64.parse("+02538ffffffff01"));
    }

    @Test
    void areZeroWhenNoneIsGiven() {
        assertTrue(Nguid.read(segment, 0).isZero());
        assertTrue(Eui64.read(segment, 0).isZero());
        assertFalse(Nguid.parse(DIGITS).isZero());
        assertEquals(Nguid.ZERO, Nguid.parse("0".repeat(32)));
    }

    @Test
    void followEachOtherInDescriptors() {
        long next = NamespaceDescriptor.put(segment, 0, Eui64.parse("002538ffffffff01"));
        assertEquals(12, next);
        next = NamespaceDescriptor.put(segment, next, Nguid.parse(DIGITS));
        assertEquals(32, next);
        next = NamespaceDescriptor.putCsi(segment, next, Csi.NVM);
        assertEquals(37, next);
        assertEquals("01080000002538ffffffff01" + "02100000" + DIGITS + "0401000000" + "00", hex(0, 38));
        assertEquals(NamespaceDescriptor.NIDT_NGUID, NamespaceDescriptor.nidt(segment, 12));
        assertEquals(32, NamespaceDescriptor.next(segment, 12));
        assertEquals(0, NamespaceDescriptor.nidt(segment, 37));
        assertEquals(60, NamespaceDescriptor.put(segment, 40, UUID.fromString("ce2a2fc1-2e6f-4b8d-9a03-f1d2c3b4a596")));
        assertEquals("03100000" + DIGITS, hex(40, 20));
    }
}
