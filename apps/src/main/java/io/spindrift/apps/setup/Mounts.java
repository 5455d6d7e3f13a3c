package io.spindrift.apps.setup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What block devices are mounted, in any process's mount namespace, and what is swapped to.
final class Mounts {
    private record Mount(String numbers, String source, String point) {}

    private final List<Mount> mounts = new ArrayList<>();
    private final List<String> swaps;

    private Mounts(List<String> swaps) {
        this.swaps = swaps;
    }

    /// Reads them from `/proc`. Processes that may not be looked into are left out.
    static Mounts of(Machine machine) throws IOException {
        Mounts read = new Mounts(Machine.lines(machine.proc("swaps")).stream().skip(1)
                .map(line -> line.split("\\s+")[0]).toList());
        read.add(Machine.lines(machine.proc("self/mountinfo")));
        for (String process : Machine.names(machine.proc(""))) {
            if (process.matches("\\d+")) {
                read.add(Machine.lines(machine.proc(process + "/mountinfo")));
            }
        }
        return read;
    }

    /// Lines of proc_pid_mountinfo(5): the device's numbers are the third field, the mount point is the fifth, and the source
    /// the second one behind the hyphen.
    private void add(List<String> lines) {
        for (String line : lines) {
            String[] fields = line.split(" ");
            int hyphen = List.of(fields).indexOf("-");
            if (hyphen >= 6 && hyphen + 2 < fields.length) {
                Mount mount = new Mount(fields[2], fields[hyphen + 2], fields[4].replace("\\040", " "));
                if (!mounts.contains(mount)) {
                    mounts.add(mount);
                }
            }
        }
    }

    /// What a disk or partition is used for, if it is mounted or swapped to.
    ///
    /// @param name    `nvme0n1p1`
    /// @param numbers its major and minor number, `259:1`
    Optional<String> use(String name, Optional<String> numbers) {
        String path = "/dev/" + name;
        // Btrfs has numbers of its own; its source tells.
        Optional<String> mounted = mounts.stream()
                .filter(mount -> mount.source().equals(path) || numbers.filter(mount.numbers()::equals).isPresent())
                .findFirst().map(mount -> path + " is mounted at " + mount.point());
        return mounted.isPresent() || !swaps.contains(path) ? mounted : Optional.of(path + " is swapped to");
    }
}
