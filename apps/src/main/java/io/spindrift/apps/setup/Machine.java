package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where the kernel's files are: `/sys`, `/proc`, `/dev` and `/lib/modules` below a root.
///
/// All reads may find nothing: devices go at any time.
record Machine(Path root) {
    Path sys(String relative) {
        return root.resolve("sys").resolve(relative);
    }

    Path proc(String relative) {
        return root.resolve("proc").resolve(relative);
    }

    Path dev(String relative) {
        return root.resolve("dev").resolve(relative);
    }

    /// The folder of a PCI function.
    Path function(PciAddress address) {
        return sys("bus/pci/devices").resolve(address.text());
    }

    Path driver(String name) {
        return sys("bus/pci/drivers").resolve(name);
    }

    /// The file through which user space has an IOMMU group.
    Path vfioGroup(int group) {
        return dev("vfio").resolve(Integer.toString(group));
    }

    /// A path as it is on the machine itself.
    String shown(Path path) {
        return "/" + root.relativize(path);
    }

    /// A file's text without the blanks around it; empty if it cannot be read.
    static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// The lines of a file; none if it cannot be read.
    static List<String> lines(Path file) {
        return text(file).map(text -> text.lines().toList()).orElse(List.of());
    }

    /// The last name of what a symbolic link points to: a device's driver, a driver's module.
    static Optional<String> linkName(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link).getFileName().toString());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// The names in a folder, in order; none if there is no such folder.
    static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /// Whether the running kernel has a module of this name, loaded, built in or in a file.
    boolean hasModule(String name) {
        String underscored = name.replace('-', '_');
        if (Files.isDirectory(sys("module").resolve(underscored)) || Files.isDirectory(driver(name))) {
            return true;
        }
        Optional<String> release = text(proc("sys/kernel/osrelease"));
        return release.isPresent() && List.of("modules.dep", "modules.builtin").stream()
                .map(list -> root.resolve("lib/modules").resolve(release.get()).resolve(list))
                .flatMap(list -> lines(list).stream()).map(line -> line.split(":")[0])
                .map(path -> path.substring(path.lastIndexOf('/') + 1)).map(file -> file.split("\\.")[0])
                .anyMatch(file -> file.replace('-', '_').equals(underscored));
    }
}
