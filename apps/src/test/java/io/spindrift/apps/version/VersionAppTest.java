package io.spindrift.apps.version;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VersionAppTest {
    @Test
    void namesBothVersionsOnOneLine() {
        String line = VersionApp.line();
        assertTrue(line.matches("Spindrift \\d+\\.\\d+\\.\\d+, Java " + Runtime.version().feature() + ".*"), line);
    }
}
