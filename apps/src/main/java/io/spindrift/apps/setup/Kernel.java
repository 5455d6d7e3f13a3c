package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// What changes the machine: the one way in which this program writes anything.
interface Kernel {
    /// Writes a line into a file of sysfs. [IOException] if the kernel refuses it.
    void write(Path file, String line) throws IOException;

    /// Runs a command to its end. [IOException] with what it said if that is not a success.
    void run(String... command) throws IOException, InterruptedException;

    /// Makes a user the owner of a device file.
    void give(Path file, String user) throws IOException;

    /// Whether there is a user of this name.
    boolean hasUser(String name);

    /// Whether this process may do all that.
    boolean isRoot();

    /// Whether anything happens, so that a look at the machine shows the outcome.
    boolean acts();

    /// How much memory a user may lock, as `ulimit -l` says it; empty if that cannot be found out.
    Optional<String> lockedMemoryLimit(String user) throws InterruptedException;
}
