package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.test.launcher.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which JDK `launcher/jdk` takes.
class JdkChoiceTest {
    @TempDir
    private Path scratch;

    private Path installed;

    @BeforeEach
    void installNone() throws IOException {
        installed = Files.createDirectories(scratch.resolve("jvm"));
    }

    @Test
    void takesJavaHomeWhenItIsNewEnough() throws Exception {
        jdk("a", "26.0.1");
        Path home = FakeHouse.fakeJdk(scratch.resolve("home"), "25");
        assertEquals(new Result(0, home + "\n", ""), choose(home.toString()));
    }

    @Test
    void takesTheNewestInstalledWhenJavaHomeIsTooOld() throws Exception {
        Path home = FakeHouse.fakeJdk(scratch.resolve("home"), "17.0.15");
        jdk("a", "25.0.3");
        Path newest = jdk("b", "27-ea");
        jdk("c", "21.0.7");
        jdk("d", "1.8.0_402");
        assertEquals(new Result(0, newest + "\n", ""), choose(home.toString()));
    }

    @Test
    void takesAnInstalledOneWhenJavaHomeIsNotSetOrHasNoCompiler() throws Exception {
        Path only = jdk("a", "25.0.3");
        Path runtime = Files.createDirectories(scratch.resolve("runtime"));
        Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"26\"\n");
        assertEquals(new Result(0, only + "\n", ""), choose(""));
        assertEquals(new Result(0, only + "\n", ""), choose(runtime.toString()));
    }

    @Test
    void saysWhereItLookedWhenThereIsNone() throws Exception {
        jdk("a", "24.0.1");
        assertEquals(new Result(1, "", "spindrift: needs a JDK 25 or newer: JAVA_HOME is not set, and " + installed
                + " has none.\n"), choose(""));
        assertEquals(new Result(1, "", "spindrift: needs a JDK 25 or newer: JAVA_HOME is /nowhere, and " + installed
                + " has none.\n"), choose("/nowhere"));
    }

    private Path jdk(String name, String version) throws IOException {
        return FakeHouse.fakeJdk(installed.resolve(name), version);
    }

    private Result choose(String javaHome) throws IOException, InterruptedException {
        return Command.run(scratch, Map.of("JAVA_HOME", javaHome), "bash", "-c",
                "source \"$0\" && find_jdk \"$1\" && echo \"$jdk\"", House.path("launcher/jdk").toString(),
                installed.toString());
    }
}
