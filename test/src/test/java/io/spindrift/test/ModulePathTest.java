package io.spindrift.test;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.Main;
import org.junit.jupiter.api.Test;

class ModulePathTest {
    @Test
    void runsOnTheModulePathSoThatServicesAreFound() {
        assertTrue(ModulePathTest.class.getModule().isNamed());
        assertTrue(Main.class.getModule().isNamed());
    }
}
