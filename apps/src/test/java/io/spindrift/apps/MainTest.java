package io.spindrift.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) throws Exception {
        return Main.run(args, new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void refusesAnUnknownProgramWithStatus2AndListsThoseThatExist() throws Exception {
        assertEquals(2, run("no_such_program"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("There is no program \"no_such_program\"."));
        for (Program program : Program.values()) {
            assertTrue(err.toString(StandardCharsets.UTF_8).contains("  " + program.programName() + " "));
        }
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void refusesAnEmptyCommandWithStatus2() throws Exception {
        assertEquals(2, run());
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith("No program was named."));
    }

    @Test
    void printsProgramNamesOneALineForTheBuild() throws Exception {
        assertEquals(0, run("--programs"));
        assertEquals(Arrays.stream(Program.values()).map(Program::programName).toList(),
                out.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void failsAProgramWhoseOutputWasLost() {
        PrintStream full = new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        });
        full.print("a report");
        assertEquals(1, Main.checked(0, full, new PrintStream(err, true, StandardCharsets.UTF_8)));
        assertEquals(2, Main.checked(2, full, System.err));
        assertEquals("Standard output could not be written.", err.toString(StandardCharsets.UTF_8).strip());
        assertEquals(0, Main.checked(0, new PrintStream(out), System.err));
    }

    @Test
    void runsTheProgramThatTheFirstArgumentNames() throws Exception {
        assertEquals(0, run("version"));
    }

    @Test
    void givesEveryProgramADifferentNameThatIsAlsoAFileName() {
        assertEquals(Program.values().length,
                Arrays.stream(Program.values()).map(Program::programName).distinct().count());
        for (Program program : Program.values()) {
            assertTrue(program.programName().matches("[a-z][a-z0-9_-]*"), program.programName());
        }
    }
}
