package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.test.launcher.Command.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When `./spindrift` builds, and that it is silent when it need not.
class StalenessTest {
    @TempDir
    private Path scratch;

    private FakeHouse house;

    @BeforeEach
    void buildOnce() throws Exception {
        house = new FakeHouse(scratch);
        Result result = house.spindrift("build");
        assertEquals(0, result.status(), result.err());
        assertEquals(1, house.mavenCalls().size());
    }

    @Test
    void buildsNothingWhenNothingChanged() throws Exception {
        Result result = house.spindrift("hello", "a b", "c");
        assertEquals(new Result(0, "hello a b c\n", ""), result);
        assertEquals(1, house.mavenCalls().size());
    }

    @Test
    void buildsWhenASourceChanged() throws Exception {
        house.write("framework/src/main/java/A.java", "final class A {}\n");
        assertBuildsOnce();
    }

    @Test
    void buildsWhenASourceWasRemoved() throws Exception {
        house.delete("framework/src/main/java/B.java");
        assertBuildsOnce();
    }

    @Test
    void buildsWhenAModulesBuildFileChanged() throws Exception {
        house.write("framework/pom.xml", "<project></project>\n");
        assertBuildsOnce();
    }

    @Test
    void buildsWhenAnotherJdkIsChosen() throws Exception {
        Path other = FakeHouse.fakeJdk(scratch.resolve("other-jdk"), "26");
        house.spindrift(other, "hello");
        house.spindrift(other, "hello");
        assertEquals(2, house.mavenCalls().size());
    }

    @Test
    void doesNotBuildForTestsPapersOrOutput() throws Exception {
        house.write("framework/src/test/java/ATest.java", "final class ATest {}\n");
        house.write("test/src/test/java/CTest.java", "class CTest {}\n");
        house.write("framework/README.md", "# framework\n");
        house.write("framework/target/classes/A.class", "compiled\n");
        house.write(".git/index", "index\n");
        house.spindrift("build");
        assertEquals(1, house.mavenCalls().size());
    }

    @Test
    void aNewFileThatIsNoSourceDoesNotMakeItStale() throws Exception {
        house.write("my.json", "{}\n");
        house.write("examples/mine.json", "{}\n");
        house.write("plugins/zero.jar", "jar\n");
        house.write("framework/notes.txt", "notes\n");
        house.write("config/eclipse-formatter.xml", "<profiles/>\n");
        house.spindrift("build");
        assertEquals(1, house.mavenCalls().size());
    }

    @Test
    void buildsWhenAResourceOrTheLauncherChanged() throws Exception {
        house.write("framework/src/main/resources/page.html", "<p>\n");
        assertBuildsOnce();
        house.write("launcher/jvm.flags", "-Xmx1g\n");
        house.spindrift("hello");
        assertEquals(3, house.mavenCalls().size());
    }

    @Test
    void showsWhatMavenSaidAndStopsWhenTheBuildFails() throws Exception {
        house.write("framework/src/main/java/A.java", "broken\n");
        house.mavenExits(1);
        Result result = house.spindrift("hello");
        assertEquals(1, result.status());
        assertEquals("", result.out());
        assertTrue(result.err().contains("the voice of Maven"), result.err());
        assertFalse(result.err().contains("[INFO]"), result.err());

        house.mavenExits(0);
        assertEquals("hello\n", house.spindrift("hello").out());
        assertEquals(3, house.mavenCalls().size());
    }

    @Test
    void keepsMavensVoiceFromStandardOutput() throws Exception {
        house.write("framework/src/main/java/A.java", "final class A {}\n");
        Result result = house.spindrift("hello");
        assertEquals("hello\n", result.out());
        assertFalse(result.err().contains("the voice of Maven"), result.err());
    }

    @Test
    void saysWhereTheLogIs() throws Exception {
        house.write("framework/src/main/java/A.java", "final class A {}\n");
        Result result = house.spindrift("hello");
        assertTrue(result.err().contains("/build/maven.log"), result.err());
        assertTrue(house.has("build/maven.log"));
    }

    @Test
    void saysOneSentenceWhenInterruptedAndBuildsTheNextTime() throws Exception {
        house.write("framework/src/main/java/A.java", "final class A {}\n");
        house.mavenIsInterrupted();
        Result result = house.spindriftInItsOwnGroup("hello");
        assertEquals(130, result.status());
        assertEquals("", result.out());
        assertEquals(List.of("spindrift: the build was interrupted; the next command begins it anew."),
                result.err().lines().skip(1).toList());
        assertFalse(house.has("build/stamp.new"));

        house.mavenExits(0);
        assertBuildsOnce();
    }

    @Test
    void refusesAnUnknownCommandWithStatus2AndTheUsage() throws Exception {
        Result result = house.spindrift("no_such_program");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("\"no_such_program\". Programs: hello\n"), result.err());
        assertTrue(result.err().contains("Usage: ./spindrift COMMAND"), result.err());
    }

    private void assertBuildsOnce() throws IOException, InterruptedException {
        house.spindrift("hello");
        house.spindrift("hello");
        assertEquals(2, house.mavenCalls().size());
    }
}
