package io.spindrift.nvmf.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.MediaStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.log.SmartLog;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The SMART / Health Information log page (base specification 2.0, 5.16.1.3), where time and broken media can be had.
@Timeout(60)
class HealthLogTest {
    private EngineFixture engine;

    @BeforeEach
    void start() throws Exception {
        engine = new EngineFixture();
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private FakeRequest log() {
        FakeRequest request = EngineFixture.command(AdminOpcode.GET_LOG_PAGE, 9, 0xffff_ffffL)
                .data(EngineFixture.memory(SmartLog.SIZE));
        GetLogPageCommand.set(request.entry(), 0, Lid.SMART, 0, 0, SmartLog.SIZE, false);
        assertEquals(0, engine.execute(engine.admin, request).status());
        return request;
    }

    private int read() {
        FakeRequest request = EngineFixture.command(NvmOpcode.READ, 7, 1).data(EngineFixture.memory(512));
        LbaCommand.set(request.entry(), 0, 5, 1, 0);
        return engine.execute(engine.io, request).status() & 0x7ff;
    }

    private void pass(int minutes) {
        engine.target.manual.clock().advance(TimeUnit.MINUTES.toNanos(minutes));
        engine.target.manual.stepAll(); // each turn reads the clock once
    }

    @Test
    void countsHoursThatAreOver() {
        assertEquals(0, SmartLog.POWER_ON_HOURS.low(log().buffer, 0));
        pass(119);
        assertEquals(1, SmartLog.POWER_ON_HOURS.low(log().buffer, 0));
        pass(2);
        assertEquals(2, SmartLog.POWER_ON_HOURS.low(log().buffer, 0));
    }

    /// Uncorrectable errors, failed checks of guards and tags: but no comparison that finds a difference, and no fault of the
    /// host's.
    @Test
    void countsDataThatCannotBeRead() {
        for (int status : new int[]{MediaStatus.UNRECOVERED_READ_ERROR, MediaStatus.GUARD_CHECK_ERROR,
                MediaStatus.APPLICATION_TAG_CHECK_ERROR, MediaStatus.REFERENCE_TAG_CHECK_ERROR}) {
            engine.disk.failure = BdevStatus.nvme(status >>> 8, status & 0xff);
            assertEquals(status, read());
        }
        engine.disk.failure = BdevStatus.nvme(2, 0x85);
        assertEquals(MediaStatus.COMPARE_FAILURE, read());
        engine.disk.failure = BdevStatus.SUCCESS;
        assertEquals(0, read());
        FakeRequest page = log();
        assertEquals(4, SmartLog.MEDIA_ERRORS.low(page.buffer, 0));
        assertEquals(6, SmartLog.HOST_READ_COMMANDS.low(page.buffer, 0));
        assertEquals(1, SmartLog.DATA_UNITS_READ.low(page.buffer, 0));
    }
}
