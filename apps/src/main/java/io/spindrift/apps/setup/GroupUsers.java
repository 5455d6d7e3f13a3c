package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Which processes have IOMMU groups open. Those of other users are seen by root only.
final class GroupUsers {
    private final Machine machine;

    GroupUsers(Machine machine) {
        this.machine = machine;
    }

    /// A process that has the group's file open: `process 4711 (java)`.
    Optional<String> find(int group) throws IOException {
        String file = machine.shown(machine.vfioGroup(group));
        for (String process : Machine.names(machine.proc(""))) {
            if (process.matches("\\d+") && hasOpen(machine.proc(process + "/fd"), file)) {
                return Optional.of("process " + process
                        + Machine.text(machine.proc(process + "/comm")).map(name -> " (" + name + ")").orElse(""));
            }
        }
        return Optional.empty();
    }

    private static boolean hasOpen(Path descriptors, String file) {
        try {
            for (String descriptor : Machine.names(descriptors)) {
                Path link = descriptors.resolve(descriptor);
                if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).toString().equals(file)) {
                    return true;
                }
            }
        } catch (IOException _) {
            // it has ended, or may not be looked into
        }
        return false;
    }
}
