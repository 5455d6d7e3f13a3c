package io.spindrift.bdev.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.PathStatus;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// I/O that is more than one command, or must not be repeated, or would wait for ever.
class NvmeBdevIoTest {
    /// MDTS is 5: 128 KiB, in blocks of 4 KiB.
    private static final int LONGEST = 32;
    private static final String FOR_EVER = ", 'ctrlr_loss_timeout_sec': -1, 'reconnect_delay_sec': 1";

    private final NvmeBdevFixture nvme = new NvmeBdevFixture();
    private final FakePort a = nvme.transport.port("a");
    private NvmeBdevFixture.Opened bdev;
    private boolean open;

    @BeforeEach
    void open() throws Exception {
        nvme.attach("a", FOR_EVER);
        bdev = nvme.open();
        open = true;
        assertEquals(BdevStatus.SUCCESS, bdev.read());
        a.ioCommands = 0;
    }

    @AfterEach
    void close() throws Exception {
        if (open) {
            bdev.close();
        }
        nvme.close();
    }

    private NvmeBdevFixture.Outcome beginSwap(int blocks) {
        return bdev.begin((channel, completion) -> channel.compareAndWrite(nvme.vector(blocks), nvme.vector(blocks), 0,
                blocks, null, completion));
    }

    private long swap(int blocks) {
        NvmeBdevFixture.Outcome outcome = beginSwap(blocks);
        nvme.until(() -> outcome.status != null);
        return outcome.status;
    }

    @Test
    void takesACompareAndWriteOfTwoCommands() {
        assertEquals(BdevStatus.SUCCESS, swap(LONGEST));
        assertEquals(2, a.ioCommands);
    }

    @Test
    void refusesACompareAndWriteThatIsLongerThanACommand() {
        assertEquals(BdevStatus.INVALID, swap(LONGEST + 1));
        assertEquals(0, a.ioCommands);
    }

    @Test
    void repeatsACompareAndWriteWhoseSecondHalfWasNotDoneThoughTheFirstSucceeded() {
        a.backwards = true;
        a.statuses.add(GenericStatus.ABORTED_FAILED_FUSED);
        a.statuses.add(0);
        assertEquals(BdevStatus.SUCCESS, swap(1));
        assertEquals(4, a.ioCommands);
    }

    @Test
    void doesNotRepeatACompareAndWriteThatMayHaveBeenDone() {
        a.silent = true;
        NvmeBdevFixture.Outcome outcome = beginSwap(1);
        a.cut();
        nvme.until(() -> outcome.status != null);
        a.silent = false;
        assertEquals(BdevStatus.nvme(0, GenericStatus.ABORTED_SQ_DELETION), outcome.status);
        assertEquals(BdevStatus.SUCCESS, bdev.read());
        assertEquals(1, a.ioCommands);
    }

    @Test
    void copiesInPartsButNotOntoItself() {
        int blocks = FakePort.LONGEST_COPY + 1;
        assertEquals(BdevStatus.SUCCESS,
                bdev.complete((channel, completion) -> channel.copy(100, 200, blocks, completion)));
        assertEquals(2, a.ioCommands);
        assertEquals(BdevStatus.INVALID,
                bdev.complete((channel, completion) -> channel.copy(100, 101, blocks, completion)));
        assertEquals(BdevStatus.SUCCESS,
                bdev.complete((channel, completion) -> channel.copy(100, 101, blocks - 1, completion)));
        assertEquals(3, a.ioCommands);
    }

    @Test
    void countsRefusalsOfAControllerWhoseAnaLogSaysOtherwise() {
        for (int i = 0; i < 4; i++) {
            a.statuses.add(PathStatus.ANA_INACCESSIBLE);
        }
        assertEquals(BdevStatus.nvme(3, 2), bdev.read());
        assertEquals(4, a.ioCommands);
    }

    @Test
    void doesNotWaitForATargetThatIsGoneOnceTheBdevGoes() throws Exception {
        a.reachable = false;
        a.cut();
        NvmeBdevFixture.Outcome waiting = bdev.begin();
        Future<?> end = nvme.manual.reactors().control().submit(() -> {
            nvme.registry.unregisterAll();
            return null;
        });
        nvme.until(() -> waiting.status != null);
        assertEquals(BdevStatus.nvme(3, 0x70), waiting.status);
        bdev.close();
        nvme.atOnce(end::isDone);
        open = false;
    }

    @Test
    void resetsOnlyControllersThatAreConnected() throws Exception {
        a.reachable = false;
        a.cut();
        nvme.until(() -> nvme.lines.stream().anyMatch(line -> line.contains("the next attempt")));
        a.reachable = true;
        int before = a.connections;
        NvmeBdevFixture.Outcome outcome = bdev.begin((channel, completion) -> channel.reset(completion));
        nvme.atOnce(() -> outcome.status != null);
        assertEquals(BdevStatus.FAILED, outcome.status);
        assertEquals(before, a.connections);
    }
}
