package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StatusTest {
    /// DNR 1, M 0, CRD 2, SCT 1, SC 82h.
    private static final int STATUS = 0b1_0_10_001_1000_0010;

    @Test
    void takesFieldsFromTheirBits() {
        assertEquals(1, Status.sct(STATUS));
        assertEquals(0x82, Status.sc(STATUS));
        assertEquals(2, Status.crd(STATUS));
        assertTrue(Status.doNotRetry(STATUS));
        assertFalse(Status.more(STATUS));
        assertTrue(Status.more(STATUS | Status.M));
        assertEquals(FabricsStatus.CONNECT_INVALID_PARAMETERS, Status.code(STATUS));
    }

    @Test
    void putsFieldsIntoTheirBits() {
        assertEquals(0x182, Status.of(Status.SCT_COMMAND_SPECIFIC, 0x82));
        assertEquals(STATUS, Status.withDnr(Status.withCrd(Status.of(1, 0x82), 2)));
        assertEquals(0x0182, Status.withCrd(STATUS & ~Status.DNR, 0));
    }

    @Test
    void tellsWhatItMeans() {
        assertEquals("Connect Invalid Parameters (SCT 1h, SC 82h), retry after CRDT2, do not retry",
                Status.text(STATUS, true));
        assertEquals("Attempted Write to Read Only Range (SCT 1h, SC 82h)", Status.text(0x182, false));
        assertEquals("Invalid Queue Identifier (SCT 1h, SC 01h)", Status.text(0x101, true));
        assertEquals("Host Pathing Error (SCT 3h, SC 70h), more in the error log",
                Status.text(0x370 | Status.M, false));
        assertEquals("Reserved status code type (SCT 5h, SC 00h)", Status.text(0x500, false));
        assertEquals("Vendor Specific (SCT 7h, SC 13h)", Status.text(0x713, false));
        assertEquals("Reserved or vendor specific status code (SCT 0h, SC 7Fh)", Status.text(0x7f, false));
    }

    @Test
    void opcodesTellTheDirectionOfData() {
        assertEquals(Opcode.HOST_TO_CONTROLLER, Opcode.transfer(NvmOpcode.WRITE));
        assertEquals(Opcode.CONTROLLER_TO_HOST, Opcode.transfer(AdminOpcode.IDENTIFY));
        assertEquals(Opcode.NO_DATA, Opcode.transfer(NvmOpcode.WRITE_ZEROES));
        assertEquals("Get Log Page", AdminOpcode.name(2));
        assertEquals("Read", NvmOpcode.name(2));
        assertEquals("Vendor Specific", AdminOpcode.name(0xc1));
        assertEquals("Reserved", NvmOpcode.name(0x7e));
    }
}
