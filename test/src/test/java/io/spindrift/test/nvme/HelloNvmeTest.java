package io.spindrift.test.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example is compiled as a third party does, and run as a process.
@Timeout(120)
class HelloNvmeTest {
    private static final Path SOURCES = Path.of(System.getProperty("spindrift.home"),
            "examples/hello-nvme/src/main/java");

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        assertEquals(0, ToolProvider.findFirst("javac").orElseThrow().run(writer, writer, "--release", "25",
                "-Xlint:all", "-Werror", "-d", classes.toString(), "--module-path",
                System.getProperty("jdk.module.path"), SOURCES.resolve("module-info.java").toString(),
                SOURCES.resolve("org/example/hello/HelloNvme.java").toString()), output::toString);
    }

    private record Outcome(int status, String output) {}

    private static Outcome run(String... arguments) throws Exception {
        String[] command = new String[7 + arguments.length];
        command[0] = Path.of(System.getProperty("java.home"), "bin/java").toString();
        command[1] = "--enable-native-access=io.spindrift.framework,io.spindrift.sock,io.spindrift.nvme";
        command[2] = "-XX:+UseSerialGC";
        command[3] = "-p";
        command[4] = System.getProperty("jdk.module.path") + ":" + classes;
        command[5] = "-m";
        command[6] = "org.example.hello/org.example.hello.HelloNvme";
        System.arraycopy(arguments, 0, command, 7, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    @Test
    void writesABlockAndReadsItBack() throws Exception {
        try (ServedDisk disk = new ServedDisk()) {
            Outcome outcome = run("trtype:TCP traddr:127.0.0.1 trsvcid:" + disk.port + " subnqn:" + ServedDisk.NQN);
            assertEquals(new Outcome(0, """
                    Model SPDK bdev Controller, serial number SER1
                    Namespace 1: 16384 blocks of 512 bytes
                    Block 0 says: Hello, NVMe!
                    """), outcome);
        }
    }

    @Test
    void saysInOneLineWhatIsWrong() throws Exception {
        Outcome outcome = run("trtype:TCP traddr:127.0.0.1 trsvcid:1 subnqn:" + ServedDisk.NQN);
        assertEquals(1, outcome.status());
        assertEquals("hello-nvme: " + ServedDisk.NQN + " at 127.0.0.1:1: connect to 127.0.0.1:1: Connection refused\n",
                outcome.output());
    }

    @Test
    void saysHowItIsUsed() throws Exception {
        Outcome outcome = run();
        assertEquals(2, outcome.status());
        assertTrue(outcome.output().startsWith("Usage: hello-nvme "), outcome::output);
    }
}
