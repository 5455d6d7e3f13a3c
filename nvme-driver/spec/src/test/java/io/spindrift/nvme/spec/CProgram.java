package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A small C program against libnvme, which answers in lines of `name=value`.
final class CProgram {
    private static final Path HEADER = Path.of("/usr/include/nvme/types.h");

    private CProgram() {}

    static void assumeLibnvme() throws InterruptedException {
        assumeTrue(Files.exists(HEADER), "no " + HEADER + ": install libnvme-dev to compare with libnvme");
        assumeTrue(hasCompiler(), "no gcc to compile the comparison with libnvme");
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder("gcc", "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Compiles and runs the program; the names and values that it prints, in order.
    static Map<String, String> run(Path directory, String source) throws Exception {
        Path file = Files.writeString(directory.resolve("program.c"), source);
        Path program = directory.resolve("program");
        output("gcc", "-rdynamic", "-o", program.toString(), file.toString(), "-lnvme");
        Map<String, String> answers = new LinkedHashMap<>();
        for (String line : output(program.toString()).split("\n")) {
            int equals = line.lastIndexOf('=');
            answers.put(line.substring(0, equals), line.substring(equals + 1));
        }
        return answers;
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), command[0]);
        assertEquals(0, process.exitValue(), output);
        return output;
    }
}
