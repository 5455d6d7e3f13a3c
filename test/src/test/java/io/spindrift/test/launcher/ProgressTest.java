package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a build says while it goes on.
class ProgressTest {
    private static final String MODULE = "[INFO] Building spindrift-bdev-layer 0.1.0                               [6/13]\n";

    @TempDir
    private Path scratch;

    private Path log;
    private Process progress;
    private OutputStream voice;
    private BufferedReader heard;

    @BeforeEach
    void start() throws IOException {
        log = scratch.resolve("maven.log");
        progress = new ProcessBuilder(House.path("launcher/progress").toString(), log.toString(), "1").start();
        voice = progress.getOutputStream();
        heard = progress.errorReader();
    }

    @AfterEach
    void end() {
        progress.destroyForcibly();
    }

    @Test
    void namesTheModuleAndTheTimeSinceTheBeginning() throws IOException {
        say(MODULE);
        assertTrue(step().matches("spindrift: spindrift-bdev-layer, module 6 of 13, [0-9]+ s"));
        assertTrue(step().matches("spindrift: spindrift-bdev-layer, module 6 of 13, [0-9]+ s"));
    }

    @Test
    void namesAStepAfterMaven() throws IOException {
        say(MODULE + "== copying jars\n");
        assertTrue(step().matches("spindrift: copying jars, [0-9]+ s"));
    }

    @Test
    void passesOnWhatIsMeantForTheUser() throws IOException {
        say("spindrift: no start-up cache was recorded\n");
        assertEquals("spindrift: no start-up cache was recorded", heard.readLine());
    }

    @Test
    void writesAllToTheLogThoughALineComesInPieces() throws Exception {
        say("[INFO] half a line");
        heard.readLine(); // an interval is over meanwhile
        say(" and its end\nno end of line");
        voice.close();
        assertEquals(0, progress.waitFor());
        assertEquals("[INFO] half a line and its end\nno end of line\n", Files.readString(log));
    }

    @Test
    void saysNothingWhenABuildIsQuick() throws Exception {
        Process quick = new ProcessBuilder(House.path("launcher/progress").toString(), log.toString(), "3600").start();
        quick.getOutputStream().write(MODULE.getBytes(StandardCharsets.UTF_8));
        quick.getOutputStream().close();
        assertEquals("", new String(quick.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, quick.waitFor());
    }

    /// The next line about a step that has been said here: the machine may be slow.
    private String step() throws IOException {
        String line = heard.readLine();
        while (line.startsWith("spindrift: Maven, ")) {
            line = heard.readLine();
        }
        return line;
    }

    private void say(String text) throws IOException {
        voice.write(text.getBytes(StandardCharsets.UTF_8));
        voice.flush();
    }
}
