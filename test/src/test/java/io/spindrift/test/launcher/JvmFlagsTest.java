package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The JVM takes a command for a method that does not exist in silence.
class JvmFlagsTest {
    private static final Pattern COMMAND = Pattern.compile("-XX:CompileCommand=\\w+,([\\w.$]+)::(\\w+)");

    @Test
    void nameMethodsThatExist() throws Exception {
        List<String> commands = commands();
        assertFalse(commands.isEmpty(), "launcher/jvm.flags has no CompileCommand for a method: drop this test");
        for (String command : commands) {
            Matcher parts = COMMAND.matcher(command);
            assertTrue(parts.matches(), command + " is not of the form that this test reads: command,class::method");
            Class<?> owner = Class.forName(parts.group(1), false, getClass().getClassLoader());
            assertTrue(Arrays.stream(owner.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals(parts.group(2))), command + " names no method");
        }
    }

    private static List<String> commands() throws IOException {
        return House.jvmFlags().stream()
                .filter(flag -> flag.startsWith("-XX:CompileCommand=") && !flag.equals("-XX:CompileCommand=quiet"))
                .toList();
    }
}
