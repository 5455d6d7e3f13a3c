package io.spindrift.apps.setup;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/// Prints what would be done, as commands of a shell, and does nothing.
final class DryRun implements Kernel {
    private final Machine machine;
    private final Kernel kernel;
    private final PrintStream out;

    /// In place of `kernel`, which is asked about users only.
    DryRun(Machine machine, Kernel kernel, PrintStream out) {
        this.machine = machine;
        this.kernel = kernel;
        this.out = out;
    }

    @Override
    public void write(Path file, String line) {
        out.println((line.isEmpty() ? "echo" : "echo " + line) + " > " + machine.shown(file));
    }

    @Override
    public void run(String... command) {
        out.println(String.join(" ", command));
    }

    @Override
    public void give(Path file, String user) {
        out.println("chown " + user + " " + machine.shown(file));
    }

    @Override
    public boolean hasUser(String name) {
        return kernel.hasUser(name);
    }

    @Override
    public boolean isRoot() {
        return true; // printing is allowed to all
    }

    @Override
    public boolean acts() {
        return false;
    }

    @Override
    public Optional<String> lockedMemoryLimit(String user) {
        return Optional.empty();
    }
}
