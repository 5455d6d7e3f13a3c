package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Which processes have device files open. Those of other users are seen by root only.
final class OpenFiles {
    private final Machine machine;
    /// By the path of the file: a process that has it open.
    private final Map<String, String> users = new HashMap<>();

    /// As the machine is now.
    OpenFiles(Machine machine) throws IOException {
        this.machine = machine;
        for (String process : Machine.names(machine.proc(""))) {
            if (process.matches("\\d+")) {
                look(process);
            }
        }
    }

    private void look(String process) {
        Path descriptors = machine.proc(process + "/fd");
        try {
            for (String descriptor : Machine.names(descriptors)) {
                String file = Files.readSymbolicLink(descriptors.resolve(descriptor)).toString();
                if (file.startsWith("/dev/")) {
                    users.putIfAbsent(file, process);
                }
            }
        } catch (IOException _) {
            // it has ended, or may not be looked into
        }
    }

    /// A process that has `file` open: `process 4711 (java)`.
    Optional<String> user(Path file) {
        return Optional.ofNullable(users.get(machine.shown(file))).map(process -> "process " + process
                + Machine.text(machine.proc(process + "/comm")).map(name -> " (" + name + ")").orElse(""));
    }
}
