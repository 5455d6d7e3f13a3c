package io.spindrift.apps.tgt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TargetAppTest {
    @TempDir
    Path folder;

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());

    @AfterEach
    void close() {
        log.close();
    }

    private Application start(Path pidFile) throws Exception {
        Application application = Application.create(ApplicationOptions.builder("spdk_tgt").noRpcServer()
                .cpuLocks(false).traceEntries(0).build(), new TargetApp(pidFile), log);
        application.start();
        return application;
    }

    @Test
    void namesThePidFileThatCannotBeWrittenAndEndsWithStatusOne() throws Exception {
        Path file = folder.resolve("none/pid");
        assertEquals(1, start(file).join());
        log.flush();
        assertTrue(lines.stream().anyMatch(line -> line.strip().endsWith(
                "*ERROR*: -f " + file + ": cannot be written: no such file or folder")), lines::toString);
        assertFalse(lines.toString().contains("Exception"), lines::toString);
    }

    @Test
    void leavesNoPidFileHoweverSoonItIsStopped() throws Exception {
        Path file = folder.resolve("pid");
        Application application = start(file);
        application.close();
        assertFalse(Files.exists(file));
    }
}
