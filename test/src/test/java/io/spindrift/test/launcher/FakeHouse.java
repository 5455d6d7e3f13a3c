package io.spindrift.test.launcher;

import io.spindrift.test.launcher.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A tree with the real `./spindrift`, a JDK that is only a version, a Maven that writes down its arguments, and one
/// program, `hello`, that prints its arguments. Everything in it is an hour old.
final class FakeHouse {
    private final Path root;
    private final Path jdk;
    private final Path tools;

    FakeHouse(Path folder) throws IOException {
        root = Files.createDirectories(folder.resolve("house with a blank"));
        jdk = fakeJdk(folder.resolve("jdk"), "25.0.1");
        tools = Files.createDirectories(folder.resolve("tools"));
        copy("spindrift");
        copy("launcher/jdk");
        copy("launcher/progress");
        write("launcher/start", "echo \"$@\"\n");
        write("launcher/debian-packages", "# none\n");
        script(root.resolve("launcher/link"), """
                #!/usr/bin/env bash
                cd "$(dirname "$0")/.."
                source launcher/jdk
                find_jdk
                mkdir -p build/bin
                printf '%s\\n' "$jdk" > build/jdk
                touch build/bin/hello
                chmod 755 build/bin/hello
                """);
        mavenExits(0);
        write("pom.xml", "<project/>\n");
        write("framework/pom.xml", "<project/>\n");
        write("framework/src/main/java/A.java", "class A {}\n");
        write("framework/src/main/java/B.java", "class B {}\n");
        write("framework/src/test/java/ATest.java", "class ATest {}\n");
        write("test/src/test/java/BTest.java", "class BTest {}\n");
        FileTime old = FileTime.from(Instant.now().minusSeconds(3600));
        try (var files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, old);
            }
        }
    }

    /// A folder that looks like a JDK of this version.
    static Path fakeJdk(Path folder, String version) throws IOException {
        Files.createDirectories(folder.resolve("bin"));
        Files.createFile(folder.resolve("bin/javac"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(folder.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        return folder;
    }

    Result spindrift(String... args) throws IOException, InterruptedException {
        return spindrift(jdk, args);
    }

    Result spindrift(Path javaHome, String... args) throws IOException, InterruptedException {
        return run(javaHome, List.of(root.resolve("spindrift").toString()), args);
    }

    private Result run(Path javaHome, List<String> program, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(args));
        return Command.run(root,
                Map.of("JAVA_HOME", javaHome.toString(), "PATH", tools + ":" + System.getenv("PATH")),
                command.toArray(String[]::new));
    }

    /// How Maven was called, one call a line.
    List<String> mavenCalls() throws IOException {
        Path calls = tools.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    /// The exit status of later calls of Maven.
    void mavenExits(int status) throws IOException {
        script(tools.resolve("mvn"), """
                #!/usr/bin/env bash
                echo "$@" >> "${0%/*}/calls"
                echo "[INFO] Building something"
                echo "the voice of Maven"
                """ + "exit " + status + "\n");
    }

    /// Later calls of Maven are interrupted with the whole process group, as by Ctrl-C.
    void mavenIsInterrupted() throws IOException {
        script(tools.resolve("mvn"), """
                #!/usr/bin/env bash
                trap 'echo "the noise of a JDK" >&2; exit 130' INT
                kill -INT 0
                """);
    }

    boolean has(String relative) {
        return Files.exists(root.resolve(relative));
    }

    /// `./spindrift` in a process group of its own, with the signals that a shell would give it.
    Result spindriftInItsOwnGroup(String... args) throws IOException, InterruptedException {
        return run(jdk, List.of("setsid", "--wait", "env", "--default-signal=INT", "./spindrift"), args);
    }

    void write(String relative, String text) throws IOException {
        Path file = root.resolve(relative);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    void delete(String relative) throws IOException {
        Files.delete(root.resolve(relative));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void copy(String relative) throws IOException {
        Path file = root.resolve(relative);
        Files.createDirectories(file.getParent());
        Files.copy(House.path(relative), file, StandardCopyOption.COPY_ATTRIBUTES);
    }
}
