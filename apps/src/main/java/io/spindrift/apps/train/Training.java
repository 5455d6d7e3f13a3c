package io.spindrift.apps.train;

import io.spindrift.apps.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/// Runs each program briefly, in one JVM, so that the classes it loads are in the start-up cache.
///
/// A program that is not in the lists still works; it only starts slower. The first list runs alone; the second is said to
/// the target, which is started for it and ended by the last line. In both, `@` stands for a folder of files.
public final class Training {
    private static final List<List<String>> ALONE = List.of(
            List.of("bdevperf", "-c", "@/config.json", "-T", "null0", "-w", "randread", "-o", "4k", "-q", "16", "-t",
                    "1",
                    "--disable-cpumask-locks", "--silence-noticelog"),
            List.of("bdevperf", "-c", "@/config.json", "-T", "malloc0", "-w", "verify", "-o", "4k", "-q", "16", "-t",
                    "1", "--disable-cpumask-locks", "--silence-noticelog"),
            List.of("quickstart", "-h"),
            List.of("rpc", "--dry-run", "rpc_get_methods", "--current"),
            List.of("rpc", "--dry-run", "bdev_null_create", "Null0", "64", "512", "--md-size", "8"),
            List.of("setup", "-h"),
            List.of("spdk_nvme_discover", "-h"),
            List.of("spdk_nvme_identify", "-H"),
            List.of("spdk_nvme_perf", "-h"),
            List.of("spdk_trace", "-h"),
            List.of("version"));

    private static final List<String> TARGET = List.of("spdk_tgt", "-c", "@/config.json", "-r", "@/rpc.sock",
            "--disable-cpumask-locks", "-e", "bdev,thread");

    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";

    /// Nothing listens for hosts: a build takes no port.
    private static final List<List<String>> SAID_TO_TARGET = List.of(
            List.of("spdk_get_version"),
            List.of("rpc_get_methods"),
            List.of("bdev_get_bdevs"),
            List.of("bdev_get_iostat"),
            List.of("bdev_null_create", "null1", "1", "512"),
            List.of("bdev_null_delete", "null1"),
            List.of("bdev_nvme_get_controllers"),
            List.of("sock_impl_get_options", "-i", "posix"),
            List.of("nvmf_create_transport", "-t", "TCP"),
            List.of("nvmf_create_subsystem", NQN, "-a", "-s", "SPDK00000000000001"),
            List.of("nvmf_subsystem_add_ns", NQN, "null0"),
            List.of("nvmf_get_subsystems"),
            List.of("nvmf_get_transports"),
            List.of("nvmf_delete_subsystem", NQN),
            List.of("framework_get_reactors"),
            List.of("thread_get_stats"),
            List.of("save_config"),
            List.of("spdk_kill_instance", "SIGTERM"));

    private static final String CONFIG = """
            {"subsystems": [{"subsystem": "bdev", "config": [
              {"method": "bdev_null_create", "params": {"name": "null0", "num_blocks": 2048, "block_size": 512}},
              {"method": "bdev_malloc_create", "params": {"name": "malloc0", "num_blocks": 2048, "block_size": 512}},
              {"method": "bdev_wait_for_examine"}]}]}
            """;

    private static final int CONNECT_TIMES = 50; // each 0.2 s
    private static final long LIMIT_SECONDS = 30;

    private final Path folder;

    private Training(Path folder) {
        this.folder = folder;
    }

    /// Runs everything in order. Files are made in `folder`, which the caller removes.
    ///
    /// @return 0, or the first status that was not 0
    public static int run(Path folder) throws Exception {
        Files.writeString(folder.resolve("config.json"), CONFIG);
        return new Training(folder).runAll();
    }

    private int runAll() throws Exception {
        for (List<String> command : ALONE) {
            int status = run(command);
            if (status != 0) {
                return status;
            }
        }
        FutureTask<Integer> target = new FutureTask<>(() -> run(TARGET));
        Thread.ofPlatform().name("target").start(target);
        int status = 0;
        for (List<String> call : SAID_TO_TARGET) {
            List<String> command = new ArrayList<>(
                    List.of("rpc", "-s", "@/rpc.sock", "-r", Integer.toString(CONNECT_TIMES)));
            command.addAll(call);
            status = Math.max(status, run(command));
        }
        return Math.max(status, target.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    }

    private int run(List<String> command) throws Exception {
        Program program = Program.find(command.getFirst()).orElseThrow();
        return program.app().run(command.stream().skip(1).map(word -> word.replace("@", folder.toString()))
                .toArray(String[]::new));
    }
}
