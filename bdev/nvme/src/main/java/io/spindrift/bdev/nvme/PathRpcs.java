package io.spindrift.bdev.nvme;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.bdev.BdevIoType;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvme.TransportId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The methods about the paths of bdevs.
final class PathRpcs {
    record NameParams(@Option({"-n", "--name"}) @Description("only this bdev's") Optional<String> name) {}

    record BdevParams(@Option({"-b", "--name"}) @Description("name of the bdev") String name) {}

    record PreferredParams(
            @Option({"-b", "--name"}) @Description("name of the bdev") String name,
            @Option({"-c", "--cntlid"}) @Unsigned(16) @Description("controller ID of the path") int cntlid) {}

    record PolicyParams(
            @Option({
                    "-b", "--name"})
            @Description("name of the bdev") String name,
            @Option({"-p", "--policy"}) @Description("one path at a time, or all") MultipathPolicy.Policy policy,
            @Option({"-s", "--selector"})
            @Description("how all take turns") Optional<MultipathPolicy.Selector> selector,
            @Option({"-r", "--rr-min-io"}) @Unsigned(32)
            @Description("I/Os before it is the next one's turn") Optional<Long> rrMinIo) {
        PolicyParams {
            NvmeBdevOptions.MultipathOptions.toPolicy(policy, selector, rrMinIo);
        }

        MultipathPolicy toPolicy() {
            return NvmeBdevOptions.MultipathOptions.toPolicy(policy, selector, rrMinIo);
        }
    }

    static final RpcMethod<NameParams> GET_IO_PATHS = RpcMethod
            .of("bdev_nvme_get_io_paths", NameParams.class, RUNTIME)
            .summary("Shows the paths that each thread has to NVMe bdevs.");
    static final RpcMethod<PreferredParams> SET_PREFERRED_PATH = RpcMethod
            .of("bdev_nvme_set_preferred_path", PreferredParams.class, RUNTIME)
            .summary("Has an NVMe bdev use a path before all others.");
    static final RpcMethod<PolicyParams> SET_MULTIPATH_POLICY = RpcMethod
            .of("bdev_nvme_set_multipath_policy", PolicyParams.class, RUNTIME)
            .summary("Sets how an NVMe bdev chooses a path.");
    static final RpcMethod<BdevParams> GET_PATH_IOSTAT = RpcMethod
            .of("bdev_nvme_get_path_iostat", BdevParams.class, RUNTIME)
            .summary("Shows what went through each path of an NVMe bdev.");

    private PathRpcs() {}

    static List<RpcMethod<?>> methods() {
        return List.of(GET_IO_PATHS, SET_PREFERRED_PATH, SET_MULTIPATH_POLICY, GET_PATH_IOSTAT);
    }

    static List<RpcBinding<?>> bindings(Supplier<NvmeBdevs> bdevs) {
        return List.of(GET_IO_PATHS.bind(params -> ioPaths(bdevs.get(), params.name())),
                SET_PREFERRED_PATH.bind(params -> {
                    prefer(bdevs.get().bdev(params.name()), params.cntlid());
                    return true;
                }), SET_MULTIPATH_POLICY.bind(params -> {
                    bdevs.get().bdev(params.name()).policy(params.toPolicy());
                    return true;
                }), GET_PATH_IOSTAT.bind(params -> statistics(bdevs.get(), params.name())));
    }

    /// The call that sets the policy of `bdev` again; nothing if it is the usual one.
    static Optional<ConfigEntry> config(NvmeBdev bdev) {
        MultipathPolicy policy = bdev.policy();
        if (policy.equals(MultipathPolicy.DEFAULT)) {
            return Optional.empty();
        }
        return Optional.of(new ConfigEntry(SET_MULTIPATH_POLICY.name(), new PolicyParams(bdev.name(), policy.policy(),
                policy.activeActive() ? Optional.of(policy.selector()) : Optional.empty(),
                policy.roundRobin() ? Optional.of((long) policy.minIo()) : Optional.empty())));
    }

    private static void prefer(NvmeBdev bdev, int cntlid) {
        NamespacePath chosen = bdev.paths().stream()
                .filter(path -> path.path().controller().data().cntlid() == cntlid).findFirst()
                .orElseThrow(() -> new ErrnoException(Errno.ENODEV,
                        "bdev " + bdev.name() + " has no path with cntlid=" + cntlid));
        bdev.prefer(chosen);
    }

    // ---- bdev_nvme_get_io_paths -------------------------------------------------------------------------------

    private static Map<String, Object> ioPaths(NvmeBdevs all, Optional<String> name) {
        Map<String, List<Map<String, Object>>> byThread = new TreeMap<>();
        for (AttachedSubsystem subsystem : all.subsystems()) {
            for (NvmeBdev bdev : subsystem.bdevs()) {
                if (name.isEmpty() || name.get().equals(bdev.name())) {
                    bdev.device().visitChannels(channel -> {
                        List<Map<String, Object>> shown = channel.ioPaths().stream()
                                .map(path -> ioPath(channel, path)).toList();
                        synchronized (byThread) {
                            byThread.computeIfAbsent(channel.thread().name(), _ -> new ArrayList<>()).addAll(shown);
                        }
                    });
                }
            }
        }
        List<Map<String, Object>> groups = new ArrayList<>();
        byThread.forEach((thread, paths) -> {
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("thread", thread);
            group.put("io_paths", paths);
            groups.add(group);
        });
        return Map.of("poll_groups", groups);
    }

    private static Map<String, Object> ioPath(NvmeBdevChannel channel, IoPath path) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("bdev_name", channel.bdev().name());
        shown.put("cntlid", path.namespace().path().controller().data().cntlid());
        shown.put("current", channel.isCurrent(path));
        shown.put("connected", path.connected());
        shown.put("accessible", path.namespace().accessible());
        TransportId id = path.namespace().path().id();
        Map<String, Object> transport = new LinkedHashMap<>();
        transport.put("trtype", id.trtype());
        transport.put("traddr", id.traddr());
        if (!id.trsvcid().isEmpty()) {
            transport.put("trsvcid", id.trsvcid());
        }
        id.adrfam().ifPresent(family -> transport.put("adrfam", family.text()));
        shown.put("transport", transport);
        return shown;
    }

    // ---- bdev_nvme_get_path_iostat ----------------------------------------------------------------------------

    private static Map<String, Object> statistics(NvmeBdevs all, String name) {
        if (!all.options().ioPathStat()) {
            throw new ErrnoException(Errno.EPERM,
                    "paths are not counted; bdev_nvme_set_options --io-path-stat changes that");
        }
        NvmeBdev bdev = all.bdev(name);
        Map<NamespacePath, PathStatistics> sums = Collections.synchronizedMap(new LinkedHashMap<>());
        bdev.paths().forEach(path -> sums.put(path, new PathStatistics()));
        bdev.device().visitChannels(channel -> channel.ioPaths().forEach(path -> {
            synchronized (sums) {
                sums.computeIfAbsent(path.namespace(), _ -> new PathStatistics()).add(path.statistics());
            }
        }));
        List<Map<String, Object>> stats = new ArrayList<>();
        sums.forEach((path, sum) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("trid", NvmeBdevReports.id(path.path().id()));
            entry.put("stat", counters(sum, bdev.geometry().blockSize()));
            stats.add(entry);
        });
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("name", bdev.name());
        result.put("stats", stats);
        return result;
    }

    private static Map<String, Object> counters(PathStatistics sum, int blockSize) {
        Map<String, Object> shown = new LinkedHashMap<>();
        operations(sum, BdevIoType.READ, "bytes_read", "num_read_ops", blockSize, shown);
        operations(sum, BdevIoType.WRITE, "bytes_written", "num_write_ops", blockSize, shown);
        operations(sum, BdevIoType.UNMAP, "bytes_unmapped", "num_unmap_ops", blockSize, shown);
        operations(sum, BdevIoType.COPY, "bytes_copied", "num_copy_ops", blockSize, shown);
        for (int type : List.of(BdevIoType.READ, BdevIoType.WRITE, BdevIoType.UNMAP, BdevIoType.COPY)) {
            String name = BdevIoType.name(type);
            shown.put(name + "_latency_ticks", sum.latencyTicks(type));
            shown.put("max_" + name + "_latency_ticks", sum.maxLatencyTicks(type));
            shown.put("min_" + name + "_latency_ticks", sum.minLatencyTicks(type));
        }
        return shown;
    }

    private static void operations(PathStatistics sum, int type, String bytes, String operations, int blockSize,
            Map<String, Object> shown) {
        shown.put(bytes, sum.blocks(type) * blockSize);
        shown.put(operations, sum.operations(type));
    }
}
