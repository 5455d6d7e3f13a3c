package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import org.junit.jupiter.api.Test;

/// Codes from the NVM Express base specification 2.0 (status code values) and SPC-4 (sense keys, additional sense codes).
class BdevStatusTest {
    @Test
    void keepsAnNvmeStatusWithoutLoss() {
        for (int sct = 0; sct < 8; sct++) {
            for (int sc = 0; sc < 256; sc++) {
                long status = BdevStatus.nvme(sct, sc, true, 0x89abcdef);
                assertEquals(sct << 8 | sc | 1 << 14, BdevStatus.toNvme(status));
                assertEquals(0x89abcdef, BdevStatus.cdw0(status));
                assertTrue(BdevStatus.doNotRetry(status));
            }
        }
        assertFalse(BdevStatus.doNotRetry(BdevStatus.nvme(0, 6)));
    }

    @Test
    void keepsASenseAndAnErrnoWithoutLoss() {
        assertEquals(0x052101, BdevStatus.toScsi(BdevStatus.scsi(5, 0x21, 1)));
        for (int errno = 1; errno < 134; errno++) {
            assertEquals(errno, BdevStatus.toErrno(BdevStatus.errno(errno)));
        }
    }

    @Test
    void successIsZeroInEveryWorld() {
        assertEquals(0, BdevStatus.toNvme(0));
        assertEquals(0, BdevStatus.toScsi(0));
        assertEquals(0, BdevStatus.toErrno(0));
        assertEquals("success", BdevStatus.text(0));
    }

    @Test
    void noFailureBecomesASuccess() {
        for (int key = 1; key < 16; key++) {
            assertTrue(BdevStatus.toNvme(BdevStatus.scsi(key, 0, 0)) != 0, "key " + key);
            assertTrue(BdevStatus.toErrno(BdevStatus.scsi(key, 0, 0)) != 0, "key " + key);
        }
        for (int errno = 1; errno < 134; errno++) {
            assertTrue(BdevStatus.toNvme(BdevStatus.errno(errno)) != 0, "errno " + errno);
            assertTrue(BdevStatus.toScsi(BdevStatus.errno(errno)) != 0, "errno " + errno);
        }
        for (int sc = 1; sc < 256; sc++) {
            assertTrue(BdevStatus.toScsi(BdevStatus.nvme(0, sc)) != 0, "sc " + sc);
            assertTrue(BdevStatus.toErrno(BdevStatus.nvme(2, sc)) != 0, "sc " + sc);
        }
    }

    @Test
    void translatesWhatAllThreeKnow() {
        // LBA Out of Range; ILLEGAL REQUEST, LOGICAL BLOCK ADDRESS OUT OF RANGE
        assertEquals(0x052100, BdevStatus.toScsi(BdevStatus.LBA_OUT_OF_RANGE));
        assertEquals(0x80, BdevStatus.toNvme(BdevStatus.scsi(5, 0x21, 0)));
        // Unrecovered Read Error; MEDIUM ERROR, UNRECOVERED READ ERROR
        assertEquals(0x031100, BdevStatus.toScsi(BdevStatus.nvme(2, 0x81)));
        assertEquals(0x281, BdevStatus.toNvme(BdevStatus.scsi(3, 0x11, 0)));
        // End-to-end Guard Check Error; ABORTED COMMAND, LOGICAL BLOCK GUARD CHECK FAILED
        assertEquals(0x0b1001, BdevStatus.toScsi(BdevStatus.nvme(2, 0x82)));
        assertEquals(0x282, BdevStatus.toNvme(BdevStatus.scsi(0xb, 0x10, 1)));
        // Compare Failure; MISCOMPARE, MISCOMPARE DURING VERIFY OPERATION
        assertEquals(0x0e1d00, BdevStatus.toScsi(BdevStatus.MISCOMPARE));
        assertEquals(0x285, BdevStatus.toNvme(BdevStatus.scsi(0xe, 0x1d, 0)));
        assertEquals(Errno.ENOSPC, BdevStatus.toErrno(BdevStatus.nvme(0, 0x81)));
        assertEquals(Errno.EROFS, BdevStatus.toErrno(BdevStatus.WRITE_PROTECTED));
    }
}
