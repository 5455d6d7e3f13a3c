package io.spindrift.framework.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogTest {
    private final RecordingSink printed = new RecordingSink();
    private final RecordingSink system = new RecordingSink();
    private final Log log = new Log(printed, system,
            Clock.fixed(Instant.parse("2026-11-30T18:00:00.123456789Z"), ZoneOffset.UTC));

    @AfterEach
    void close() {
        log.close();
    }

    private List<String> printedLines() throws InterruptedException {
        log.flush();
        return printed.lines();
    }

    @Test
    void writesTimeFileLineMethodLevelAndText() throws Exception {
        log.notice("%d cores", 2);

        String line = printedLines().getFirst();
        // The layout is that of SPDK's spdk_vlog: "[%s] %s:%4d:%s: *%s*: %s".
        assertTrue(Pattern.matches("\\[2026-11-30 18:00:00\\.123456] LogTest\\.java:  \\d\\d:"
                + "writesTimeFileLineMethodLevelAndText: \\*NOTICE\\*: 2 cores", line), line);
    }

    @Test
    void leavesTheTimeOutWhenToldTo() throws Exception {
        log.timestamps(false);
        log.error("broken");

        assertTrue(printedLines().getFirst().startsWith("LogTest.java:"), printed.lines().getFirst());
    }

    @Test
    void namesTheMethodAroundALambda() throws Exception {
        Runnable lambda = () -> log.notice("inside");
        lambda.run();

        assertTrue(printedLines().getFirst().contains(":namesTheMethodAroundALambda: *NOTICE*"),
                printed.lines().getFirst());
    }

    @Test
    void printsAPercentSignInATextWithoutArguments() throws Exception {
        log.notice("100% busy");

        assertTrue(printedLines().getFirst().endsWith("100% busy"));
    }

    @Test
    void startsWithNoticeForBothOutputs() {
        assertEquals(LogLevel.NOTICE, log.level());
        assertEquals(LogLevel.NOTICE, log.printLevel());
    }

    @Test
    void printsOnlyWhatTheLevelAtTheTimeOfTheCallAllows() throws Exception {
        log.printLevel(LogLevel.WARNING);
        log.notice("quiet");
        log.warn("loud");
        log.printLevel(LogLevel.ERROR);
        log.warn("quiet too");

        assertEquals(1, printedLines().size());
        assertTrue(printed.lines().getFirst().endsWith("*WARNING*: loud"));
    }

    @Test
    void separatesTheSystemLogsLevelFromThePrintLevel() throws Exception {
        log.level(LogLevel.ERROR);
        log.notice("to the terminal");
        log.error("to both");
        log.printLevel(LogLevel.ERROR);
        log.level(LogLevel.WARNING);
        log.warn("to the system log");

        assertEquals(2, printedLines().size());
        assertEquals(2, system.lines().size());
        assertTrue(system.lines().getFirst().endsWith("*ERROR*: to both"));
        assertTrue(system.lines().getLast().endsWith("*WARNING*: to the system log"));
    }

    @Test
    void sendsNoTimeToTheSystemLogWhichHasItsOwn() throws Exception {
        log.error("broken");
        log.flush();

        assertTrue(system.lines().getFirst().startsWith("LogTest.java:"));
    }

    @Test
    void printsInfoAndDebugOnlyForEnabledFlags() throws Exception {
        LogFlag bdev = log.flag("bdev");
        log.printLevel(LogLevel.DEBUG);
        log.info(bdev, "off");
        log.enableFlag("bdev", true);
        log.info(bdev, "on");
        log.debug(bdev, "on too");
        log.enableFlag("bdev", false);
        log.debug(bdev, "off again");

        assertEquals(2, printedLines().size());
    }

    @Test
    void needsTheLevelToPrintAnEnabledFlag() throws Exception {
        LogFlag bdev = log.flag("bdev");
        log.enableFlag("bdev", true);
        log.info(bdev, "below the print level");

        assertEquals(List.of(), printedLines());
    }

    @Test
    void listsFlagsByNameWithTheirState() {
        log.flag("thread");
        log.flag("bdev");
        log.enableFlag("thread", true);

        assertEquals(Map.of("bdev", false, "thread", true), log.flagStates());
        assertEquals("bdev", log.flagStates().firstKey());
    }

    @Test
    void enablesEveryFlagByTheNameAll() {
        log.flag("thread");
        log.flag("bdev");
        log.enableFlag("all", true);

        assertFalse(log.flagStates().containsValue(false));
    }

    @Test
    void turnsAnExpectedFlagOnWhenItIsAskedFor() {
        LogFlag early = log.flag("thread");
        log.expectFlag("bdev");
        log.expectFlag("thread");
        log.expectFlag("nvmf");

        assertTrue(log.flag("bdev").enabled());
        assertTrue(early.enabled());
        assertFalse(log.flag("uring").enabled());
        assertEquals(List.of("nvmf"), log.missingFlags());
    }

    @Test
    void turnsEveryLaterFlagOnWhenAllAreExpected() {
        log.expectFlag("all");

        assertTrue(log.flag("bdev").enabled());
        assertEquals(List.of(), log.missingFlags());
    }

    @Test
    void refusesAFlagThatNobodyHas() {
        log.flag("bdev");
        var refused = assertThrows(IllegalArgumentException.class, () -> log.enableFlag("none", true));

        assertTrue(refused.getMessage().startsWith("flag=none"), refused.getMessage());
        assertTrue(refused.getMessage().contains("bdev"), refused.getMessage());
    }

    @Test
    void keepsTheFlagsOfTwoLogsApart() {
        try (Log other = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC())) {
            LogFlag mine = log.flag("bdev");
            LogFlag theirs = other.flag("bdev");
            log.enableFlag("bdev", true);

            assertTrue(mine.enabled());
            assertFalse(theirs.enabled());
        }
    }

    @Test
    void addsTheStackTraceOfACause() throws Exception {
        log.error(new IllegalStateException("half open"), "reset of %s failed", "Null0");

        String line = printedLines().getFirst();
        assertTrue(line.contains("*ERROR*: reset of Null0 failed\njava.lang.IllegalStateException: half open\n\tat "),
                line);
        assertFalse(line.endsWith("\n"));
    }

    @Test
    void writesWhatWasWaitingWhenItCloses() {
        for (int i = 0; i < 1000; i++) {
            log.notice("line %d", i);
        }
        log.close();

        assertEquals(1000, printed.lines().size());
        assertTrue(printed.lines().getLast().endsWith("line 999"));
    }

    @Test
    void writesALineThatComesAfterTheClose() {
        log.close();
        log.error("late");

        assertTrue(printed.lines().getFirst().endsWith("late"));
    }

    @Test
    void dropsAndCountsLinesBeyondItsCapacityInsteadOfWaiting() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        RecordingSink slow = new RecordingSink();
        try (Log stuck = new Log((level, line) -> {
            entered.countDown();
            await(release);
            slow.write(level, line);
        }, LogSink.discard(), Clock.systemUTC())) {
            stuck.notice("held by the sink, no longer waiting");
            entered.await();
            for (int i = 0; i < LogWriter.CAPACITY + 3; i++) {
                stuck.notice("line");
            }
            release.countDown();
        }

        assertEquals(1 + LogWriter.CAPACITY + 1, slow.lines().size());
        assertTrue(slow.lines().getLast().startsWith("[") && slow.lines().getLast().contains("*WARNING*: 3 log lines"),
                slow.lines().getLast());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
