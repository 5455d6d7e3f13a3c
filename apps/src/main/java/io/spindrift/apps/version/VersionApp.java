package io.spindrift.apps.version;

import java.lang.module.ModuleDescriptor;

/// The program `version`.
public final class VersionApp {
    private VersionApp() {}

    /// Prints one line: the version of this module and of the JVM. Arguments are ignored.
    public static int run(String[] args) {
        System.out.println(line());
        return 0;
    }

    static String line() {
        ModuleDescriptor descriptor = VersionApp.class.getModule().getDescriptor();
        String version = descriptor == null
                ? "(run from the class path)"
                : descriptor.rawVersion().orElse("(unversioned)");
        return "Spindrift " + version + ", Java " + Runtime.version();
    }
}
