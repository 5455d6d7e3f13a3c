package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.apps.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/// The tree that the tests run in.
final class House {
    private static final Path ROOT = Path.of(System.getProperty("spindrift.home"));

    private House() {}

    static Path path(String relative) {
        return ROOT.resolve(relative);
    }

    /// Skips the test unless `build/` was made of the sources under test: `mvn verify` alone does not make it.
    static void assumeBuilt() throws IOException {
        Path bin = path("build/bin");
        assumeTrue(Files.isDirectory(bin), "build/bin is absent: ./spindrift build makes it");
        List<Path> jars;
        try (Stream<Path> lib = Files.list(path("build/lib"))) {
            jars = lib.filter(jar -> jar.getFileName().toString().startsWith("spindrift-apps-")).toList();
        }
        String table = Program.class.getName().replace('.', '/') + ".class";
        try (JarFile jar = new JarFile(jars.getFirst().toFile());
                InputStream built = jar.getInputStream(jar.getEntry(table));
                InputStream tested = Program.class.getResourceAsStream("Program.class")) {
            assumeTrue(Arrays.equals(built.readAllBytes(), tested.readAllBytes()),
                    "build/bin was made of other sources: ./spindrift build makes it anew");
        }
    }

    /// The flags that every program's JVM gets.
    static List<String> jvmFlags() throws IOException {
        return Files.readAllLines(path("launcher/jvm.flags")).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    }

    /// The JDK that `build/` was made with.
    static Path jdk() throws IOException {
        return Path.of(Files.readString(path("build/jdk")).strip());
    }
}
