package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.Program;
import io.spindrift.test.launcher.Command.Result;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the build leaves in `build/bin`, started as users start it.
class ProgramsTest {
    private static final String VERSION_LINE = "Spindrift \\d+\\.\\d+\\.\\d+, Java \\S+\n";
    private static final String FROM_CACHE = "io.spindrift.apps.Main source: shared objects file";

    @TempDir
    private Path scratch;

    @BeforeEach
    void needsTheBuild() throws IOException {
        House.assumeBuilt();
    }

    @Test
    void areThoseOfTheTable() throws Exception {
        try (Stream<Path> scripts = Files.list(House.path("build/bin"))) {
            assertEquals(Arrays.stream(Program.values()).map(Program::programName).sorted().toList(),
                    scripts.map(script -> script.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void printNothingButTheirResult() throws Exception {
        Result result = Command.run(scratch, Map.of(), House.path("build/bin/version").toString());
        assertEquals(0, result.status());
        assertTrue(result.out().matches(VERSION_LINE), result.out());
        assertEquals("", result.err());
    }

    @Test
    void startFromTheCache() throws Exception {
        Result result = runLoggingClasses(House.path("build"));
        assertTrue(result.out().matches(VERSION_LINE), result.out());
        assertTrue(Files.readString(scratch.resolve("classes")).contains(FROM_CACHE));
    }

    /// The cache holds only classes with stack maps: class file format 50 and later.
    @Test
    void haveNoClassThatTheCacheCannotHold() throws Exception {
        try (Stream<Path> jars = Files.list(House.path("build/lib"))) {
            for (Path path : jars.toList()) {
                try (JarFile jar = new JarFile(path.toFile())) {
                    for (JarEntry entry : jar.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
                        try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
                            assertEquals(0xCAFEBABE, in.readInt());
                            in.readUnsignedShort();
                            assertTrue(in.readUnsignedShort() >= 50, path + ": " + entry.getName());
                        }
                    }
                }
            }
        }
    }

    @Test
    void startWithoutTheCacheWhenTheJarsAreNotThoseItWasRecordedFrom() throws Exception {
        Path copy = scratch.resolve("copy");
        copy(House.path("launcher"), copy.resolve("launcher"));
        copy(House.path("build/lib"), copy.resolve("build/lib"));
        for (String file : List.of("jdk", "aot.stamp", "spindrift.aot")) {
            Files.copy(House.path("build").resolve(file), copy.resolve("build").resolve(file));
        }
        Path script = Files.createDirectories(copy.resolve("build/bin")).resolve("version");
        Files.writeString(script, "source '" + copy.resolve("launcher/start") + "' version \"$@\"\n");

        Result result = runLoggingClasses(copy.resolve("build"));

        assertEquals(0, result.status());
        assertTrue(result.out().matches(VERSION_LINE), result.out());
        assertTrue(Files.readString(scratch.resolve("classes")).contains("io.spindrift.apps.Main source: "));
        assertFalse(Files.readString(scratch.resolve("classes")).contains(FROM_CACHE));
    }

    @Test
    void keepStandardOutputCleanEvenWhenTheJvmRefusesTheCache() throws Exception {
        Path broken = Files.writeString(scratch.resolve("broken.aot"), "no cache");
        List<String> command = new ArrayList<>(List.of(House.jdk().resolve("bin/java").toString()));
        command.addAll(House.jvmFlags());
        command.addAll(List.of("-XX:AOTCache=" + broken, "-p", House.path("build/lib").toString(), "-m",
                "io.spindrift.apps/io.spindrift.apps.Main", "version"));
        Result result = Command.run(scratch, Map.of(), command.toArray(String[]::new));
        assertTrue(result.out().matches(VERSION_LINE), result.out());
        assertTrue(result.err().contains("AOT cache"), result.err());
    }

    @Test
    void takeMoreJvmFlagsFromTheEnvironment() throws Exception {
        Result result = Command.run(scratch,
                Map.of("SPINDRIFT_JAVA_OPTS", "-Xmx64m -XX:+PrintFlagsFinal -Xms64m -Xmn8m"),
                House.path("build/bin/version").toString());
        assertEquals(0, result.status());
        assertTrue(result.out().lines().anyMatch(line -> line.matches(".*\\bMaxHeapSize += 67108864 .*")),
                result.out());
    }

    /// Where each class comes from is written to the file `classes`.
    private Result runLoggingClasses(Path build) throws IOException, InterruptedException {
        return Command.run(scratch,
                Map.of("_JAVA_OPTIONS", "-Xlog:class+load:file=" + scratch.resolve("classes") + ":none"), "bash",
                build.resolve("bin/version").toString());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
