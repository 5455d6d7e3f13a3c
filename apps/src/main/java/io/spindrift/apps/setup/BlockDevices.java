package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The kernel's block devices, and whether anything would be lost if one went.
final class BlockDevices {
    private static final int SECTOR = 512; // of the file `size`, whatever the disk's blocks are

    private final Machine machine;
    private final Mounts mounts;
    private final OpenFiles openFiles;

    BlockDevices(Machine machine, OpenFiles openFiles) throws IOException {
        this.machine = machine;
        this.openFiles = openFiles;
        this.mounts = Mounts.of(machine);
    }

    /// Why `disk` cannot be taken from the kernel, in sentences that name it or its partition; empty if nothing of it is
    /// used.
    List<String> obstacles(String disk) throws IOException {
        List<String> obstacles = new ArrayList<>();
        Path folder = machine.sys("block").resolve(disk);
        List<String> partitions = Machine.names(folder).stream()
                .filter(name -> Files.exists(folder.resolve(name).resolve("partition"))).toList();
        for (String partition : partitions) {
            use(partition, folder.resolve(partition)).ifPresent(obstacles::add);
        }
        use(disk, folder).ifPresent(obstacles::add);
        if (obstacles.isEmpty() && !partitions.isEmpty()) {
            obstacles.add("/dev/" + disk + " has partitions: " + String.join(", ", partitions));
        }
        if (obstacles.isEmpty()) {
            contents(disk, folder).ifPresent(obstacles::add);
        }
        return obstacles;
    }

    /// Who uses a disk or partition at this moment.
    private Optional<String> use(String name, Path folder) throws IOException {
        Optional<String> mounted = mounts.use(name, Machine.text(folder.resolve("dev")));
        if (mounted.isPresent()) {
            return mounted;
        }
        List<String> holders = Machine.names(folder.resolve("holders"));
        if (!holders.isEmpty()) {
            return Optional.of("/dev/" + name + " is used by "
                    + String.join(", ", holders.stream().map(this::title).toList()));
        }
        return openFiles.user(machine.dev(name)).map(user -> "/dev/" + name + " is open in " + user);
    }

    /// `dm-0 (vg-root)`, `md127`.
    private String title(String holder) {
        return Machine.text(machine.sys("block").resolve(holder).resolve("dm/name"))
                .map(name -> holder + " (" + name + ")").orElse(holder);
    }

    private Optional<String> contents(String disk, Path folder) {
        Optional<Long> sectors = Machine.text(folder.resolve("size")).map(Long::parseLong);
        if (sectors.isEmpty()) {
            return Optional.of("what /dev/" + disk + " holds is unknown: the kernel does not tell its size");
        }
        try {
            return DiskSignature.find(machine.dev(disk), sectors.get() * SECTOR)
                    .map(what -> "/dev/" + disk + " holds " + what);
        } catch (AccessDeniedException _) {
            return Optional.of("what /dev/" + disk + " holds is unknown: only root may read it");
        } catch (NoSuchFileException _) {
            return Optional.of("what /dev/" + disk + " holds is unknown: there is no such file");
        } catch (IOException e) {
            return Optional.of("what /dev/" + disk + " holds is unknown: " + e.getMessage());
        }
    }
}
