package io.spindrift.apps.quickstart;

import io.spindrift.apps.bdevperf.BdevperfApp;
import io.spindrift.framework.app.ApplicationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The program `quickstart`: bdevperf on a null and a malloc bdev of an embedded configuration, then what to type next.
public final class QuickstartApp {
    private static final String CONFIGURATION = """
            {
              "subsystems": [
                {
                  "subsystem": "bdev",
                  "config": [
                    {
                      "method": "bdev_null_create",
                      "params": {"name": "null0", "num_blocks": 2048000, "block_size": 512}
                    },
                    {
                      "method": "bdev_malloc_create",
                      "params": {"name": "malloc0", "num_blocks": 131072, "block_size": 512}
                    },
                    {"method": "bdev_wait_for_examine"}
                  ]
                }
              ]
            }
            """;

    private static final String NEXT = """

            null0 swallowed random reads of 4 KiB; malloc0, 64 MiB of memory, was written and every byte read back and
            compared. Next:
              ./spindrift bdevperf -c examples/null.json -w randread -o 4096 -q 16 -t 5
                                                      the same by a JSON file, as SPDK's users have them
              ./spindrift spdk_tgt -c examples/null.json
                                                      a target to talk to; then, in another shell:
              ./spindrift rpc bdev_malloc_create 64 512 -b malloc0
              ./spindrift rpc bdev_get_bdevs
              ./spindrift bench                       the speed against yardsticks on this machine
              ./spindrift test                        every test
            """;

    private QuickstartApp() {}

    /// Runs it and returns the status to exit with. `args` are for bdevperf (`-t 1` for a shorter run).
    public static int run(String[] args) throws IOException, InterruptedException {
        Path configuration = Files.createTempFile("quickstart", ".json");
        try {
            Files.writeString(configuration, CONFIGURATION);
            ApplicationOptions.Builder options = ApplicationOptions.builder("quickstart").configFile(configuration)
                    .silenceNotices(true);
            return BdevperfApp.run("quickstart", options, List.of(
                    arguments(List.of("-T", "null0", "-w", "randread", "-o", "4k", "-q", "16", "-t", "2"), args),
                    arguments(List.of("-T", "malloc0", "-w", "verify", "-o", "4k", "-q", "16", "-t", "2"), args)),
                    NEXT);
        } finally {
            Files.delete(configuration);
        }
    }

    private static List<String> arguments(List<String> ours, String[] more) {
        List<String> all = new java.util.ArrayList<>(ours);
        all.addAll(List.of(more));
        return all;
    }
}
