package io.spindrift.test.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.UnaryOperator;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// Compiles the example as a third party does: against the modules, and nothing of this test's.
public final class PluginExample {
    static final Path SOURCES = Path.of(System.getProperty("spindrift.home"), "test/plugin-example/src/main/java");

    private PluginExample() {}

    /// Makes the plug-in's jar in `folder`.
    public static void build(Path folder) throws IOException {
        build(folder, UnaryOperator.identity());
    }

    /// Makes the jar `zero.jar` in `folder`, of sources that `edit` has changed.
    static void build(Path folder, UnaryOperator<String> edit) throws IOException {
        Path scratch = Files.createTempDirectory("plugin-example");
        try {
            Path classes = scratch.resolve("classes");
            Path edited = scratch.resolve("ZeroBdevModule.java");
            Files.writeString(edited,
                    edit.apply(Files.readString(SOURCES.resolve("org/example/zero/ZeroBdevModule.java"))));
            tool("javac", "--release", "25", "-Xlint:all", "-Werror", "-d", classes.toString(), "--module-path",
                    System.getProperty("jdk.module.path"), SOURCES.resolve("module-info.java").toString(),
                    edited.toString());
            tool("jar", "--create", "--file", folder.resolve("zero.jar").toString(), "-C", classes.toString(), ".");
        } finally {
            delete(scratch);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// Puts what is no jar beside it.
    public static void addBrokenJar(Path folder) throws IOException {
        Files.writeString(folder.resolve("broken.jar"), "this is no archive");
    }

    private static void tool(String name, String... arguments) {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        assertEquals(0, ToolProvider.findFirst(name).orElseThrow().run(writer, writer, arguments), output.toString());
    }
}
