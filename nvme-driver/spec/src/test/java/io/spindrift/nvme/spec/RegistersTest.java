package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.feature.FeatureDword;
import org.junit.jupiter.api.Test;

/// Values made by hand with the specification's bit numbers.
class RegistersTest {
    /// MQES 7FFh, CQR (16), TO Fh (31:24), CSS bits 0 and 6 (37 and 43), MPSMAX 4 (55:52), CMBS (57).
    private static final long CAP = 0x0240_0820_0f01_07ffL;

    @Test
    void takeCapabilitiesApart() {
        assertEquals(0x7ff, Cap.mqes(CAP));
        assertEquals(15, Cap.to(CAP));
        assertEquals(0, Cap.dstrd(CAP));
        assertEquals(0b0100_0001, Cap.css(CAP));
        assertEquals(0, Cap.mpsmin(CAP));
        assertEquals(4, Cap.mpsmax(CAP));
        assertTrue((CAP & Cap.CQR) != 0 && (CAP & Cap.CSS_NVM) != 0 && (CAP & Cap.CMBS) != 0);
        assertFalse((CAP & Cap.NSSRS) != 0);
    }

    @Test
    void makeCapabilities() {
        assertEquals(CAP, Cap.of(0x7ff, 15, 0, 0, 4) | Cap.CQR | Cap.CSS_NVM | Cap.CSS_IO_COMMAND_SETS | Cap.CMBS);
        assertEquals(0x0000_0001_1e01_007fL, Cap.of(127, 30, 1, 0, 0) | Cap.CQR);
    }

    @Test
    void makeTheConfigurationThatLinuxWrites() {
        int cc = Cc.of(Cc.CSS_NVM, 0) | Cc.EN;
        assertEquals(0x0046_0001, cc);
        assertTrue(Cc.enabled(cc));
        assertEquals(6, Cc.iosqes(cc));
        assertEquals(4, Cc.iocqes(cc));
        assertEquals(0x0046_4001, Cc.withShn(cc, Cc.SHN_NORMAL));
        assertEquals(Cc.SHN_ABRUPT, Cc.shn(0x0046_8001));
        assertEquals(Cc.CSS_ALL, Cc.css(0x0046_0061));
        assertEquals(2, Cc.mps(0x0046_0101));
        assertEquals(0, Cc.ams(cc));
    }

    @Test
    void tellTheState() {
        assertTrue(Csts.ready(1));
        assertTrue(Csts.fatal(3));
        assertEquals(Csts.SHST_COMPLETE, Csts.shst(0b1001));
        assertEquals(0b1001, Csts.withShst(0b0101, Csts.SHST_COMPLETE));
        assertTrue(Csts.gone(0xffff_ffff));
        assertFalse(Csts.gone(0x7fff_ffff));
    }

    @Test
    void keepOtherNumbers() {
        assertEquals(0x001f_007f, Aqa.of(127, 31));
        assertEquals(127, Aqa.asqs(0x001f_007f));
        assertEquals(31, Aqa.acqs(0x001f_007f));
        assertEquals(0x0002_0010, Crto.of(16, 2));
        assertEquals(16, Crto.crwmt(0x0002_0010));
        assertEquals(2, Crto.crimt(0x0002_0010));
        assertEquals(Version.NVME_1_3, Version.of(1, 3, 0));
        assertEquals("1.2.1", Version.text(0x0001_0201));
        assertEquals("2.0", Version.text(Version.NVME_2_0));
        assertEquals(8, ControllerProperty.fabricsSize(0));
        assertEquals(4, ControllerProperty.fabricsSize(0x14));
        assertEquals(0, ControllerProperty.fabricsSize(0x28));
    }

    @Test
    void packEventsAndFeatures() {
        assertEquals(0x0070_f002,
                AsyncEvent.dw0(AsyncEvent.TYPE_NOTICE, AsyncEvent.NOTICE_DISCOVERY_LOG_CHANGED, 0x70));
        assertEquals(2, AsyncEvent.type(0x0070_f002));
        assertEquals(0xf0, AsyncEvent.info(0x0070_f002));
        assertEquals(0x70, AsyncEvent.lid(0x0070_f002));
        assertEquals(0x0007_0003, FeatureDword.numberOfQueues(4, 8));
        assertEquals(4, FeatureDword.submissionQueues(0x0007_0003));
        assertEquals(65_536, FeatureDword.completionQueues(0xffff_0003));
        assertEquals(0x0010_0175 | 3 << 16, FeatureDword.temperatureThreshold(373, 3, FeatureDword.THSEL_UNDER));
        assertEquals(373, FeatureDword.tmpth(0x0013_0175));
        assertEquals(3, FeatureDword.tmpsel(0x0013_0175));
        assertEquals(1, FeatureDword.thsel(0x0013_0175));
        assertEquals(4_294_967_295L, FeatureDword.kato(-1));
    }
}
