package io.spindrift.framework.app;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.trace.TraceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The flags that every application has, as SPDK's users and scripts pass them, and a few of ours.
///
/// Those that have no effect here are accepted, and each leaves a sentence in [ApplicationOptions#notices()].
public final class CommonFlags {
    private static final int MAX_MICROS = 1_000_000;
    private static final long MAX_MEBIBYTES = 1L << 24;
    private static final int MAX_TRACE_ENTRIES = TraceOptions.MAX_ENTRIES;

    private final ApplicationOptions.Builder options;
    private boolean maskGiven;

    private CommonFlags(ApplicationOptions.Builder options) {
        this.options = options;
    }

    /// The flags, which write to `options`.
    public static List<Flag> of(ApplicationOptions.Builder options) {
        CommonFlags common = new CommonFlags(options);
        return Stream.of(common.startup(), common.cores(), common.memory(), common.devices(), common.observation(),
                common.meaningless()).flatMap(List::stream).toList();
    }

    private List<Flag> startup() {
        return List.of(
                Flag.value("-c/--config/--json", "FILE", "JSON configuration to load at start-up",
                        text -> options.configFile(Path.of(text))),
                Flag.toggle("--json-ignore-init-errors", "go on after a failed entry of the configuration",
                        () -> options.ignoreInitErrors(true)),
                Flag.value("-r/--rpc-socket", "PATH", "socket or IP:PORT for RPCs (default "
                        + ApplicationOptions.DEFAULT_RPC_ADDRESS + ")", options::rpcAddress),
                Flag.toggle("--no-rpc-server", "listen for no RPCs", options::noRpcServer),
                Flag.value("--rpcs-allowed", "LIST", "answer these RPCs only; names with commas between them",
                        text -> options.allowRpcs(FlagValues.words(text))),
                Flag.toggle("--wait-for-rpc", "start subsystems after the RPC framework_start_init",
                        () -> options.waitForRpc(true)),
                Flag.value("--plugin-path", "DIR", "folder of plug-ins (jars), beside the one that is always searched",
                        text -> options.pluginPath(Path.of(text))));
    }

    private List<Flag> cores() {
        return List.of(
                Flag.value("-m/--cpumask", "MASK", "cores to run on: 0x3, 3 or [0,1,4-7] (default 0x1)",
                        text -> cpuMask(CpuMask.parse(text))),
                Flag.value("--lcores", "LIST", "cores to run on: 0-3,(4,5)@6 (an alternative to -m)",
                        text -> cpuMask(lcores(text))),
                Flag.value("-p/--main-core", "CORE", "core of the application's own thread (default: the first)",
                        text -> options.mainCore(FlagValues.number(text, 0, CpuMask.LIMIT - 1))),
                Flag.toggle("--disable-cpumask-locks", "do not lock the cores against other programs",
                        () -> options.cpuLocks(false)),
                Flag.toggle("--poll", "never sleep, even without work", () -> options.poll(true)),
                Flag.value("--idle-spin-us", "N", "spin so long without work before sleeping (default "
                        + ApplicationOptions.DEFAULT_IDLE_SPIN_MICROS + ")",
                        text -> options.idleSpinMicros(FlagValues.number(text, 0, MAX_MICROS))));
    }

    private void cpuMask(CpuMask cores) {
        if (maskGiven) {
            throw new IllegalArgumentException("the cores were given before, by -m or --lcores");
        }
        maskGiven = true;
        options.cpuMask(cores);
    }

    /// DPDK's form: `LCORES[@CPUS]` with commas between, sets in parentheses. Cores are CPUs here.
    private static CpuMask lcores(String text) {
        List<String> cpus = new ArrayList<>();
        for (String part : text.split(",(?![^(]*\\))")) {
            cpus.add(part.substring(part.indexOf('@') + 1).replaceAll("[()]", ""));
        }
        return CpuMask.parse("[" + String.join(",", cpus) + "]");
    }

    private List<Flag> memory() {
        return List.of(
                Flag.value("-s/--mem-size", "MB",
                        "with --no-huge, memory to use at most (also 2G); else without effect",
                        text -> options.memory(
                                options.memory().withMebibytes(FlagValues.mebibytes(text, 0, MAX_MEBIBYTES)))),
                Flag.toggle("-g/--single-file-segments", "accepted: hugepages are mapped without files",
                        () -> options.memory(options.memory().withSingleFile())),
                Flag.toggle("--no-huge", "use no hugepages",
                        () -> options.memory(options.memory().withoutHugePages())),
                Flag.value("--huge-dir", "DIR", "accepted: hugepages are mapped without files",
                        text -> options.memory(options.memory().withHugeDirectory(Path.of(text)))),
                Flag.toggle("-R/--huge-unlink", "accepted: hugepages are mapped without files",
                        () -> options.memory(options.memory().withUnlinkedHuge())),
                Flag.value("-i/--shm-id", "N", "id shared by applications that share memory (default -1: none)",
                        text -> options.sharedMemoryId(FlagValues.number(text, -1, Integer.MAX_VALUE))));
    }

    private List<Flag> devices() {
        return List.of(
                Flag.toggle("-u/--no-pci", "touch no PCI device", () -> options.pci(options.pci().withNone())),
                Flag.value("-A/--pci-allowed", "BDF", "touch only this PCI device (again for more)",
                        text -> options.pci(options.pci().withAllowed(FlagValues.pciAddress(text)))),
                Flag.value("-B/--pci-blocked", "BDF", "do not touch this PCI device (again for more)",
                        text -> options.pci(options.pci().withBlocked(FlagValues.pciAddress(text)))),
                Flag.value("--vfio-vf-token", "UUID", "given to the kernel with each virtual function",
                        text -> options.pci(options.pci().withVfToken(FlagValues.uuid(text)))));
    }

    private List<Flag> observation() {
        return List.of(
                Flag.value("-L/--logflag", "FLAG", "log this topic in detail (again for more; all)",
                        text -> options.logFlags(FlagValues.words(text))),
                Flag.toggle("--silence-noticelog", "print warnings and errors only",
                        () -> options.silenceNotices(true)),
                Flag.value("-e/--tpoint-group", "GROUPS",
                        "trace: GROUP|HEXMASK[:MASK|:NAME+NAME],... (0xFFFF: everything)", options::tracepoints),
                Flag.value("--num-trace-entries", "N", "entries of each core's trace (default "
                        + ApplicationOptions.DEFAULT_TRACE_ENTRIES + "; 0: none; rounded up to a power of two)",
                        text -> options.traceEntries(FlagValues.number(text, 0, MAX_TRACE_ENTRIES))));
    }

    private List<Flag> meaningless() {
        return List.of(
                Flag.toggle("--interrupt-mode", "accepted: an idle reactor sleeps anyway",
                        () -> options.notice("--interrupt-mode changes nothing: an idle reactor sleeps anyway")),
                ignored("-n/--mem-channels", "N"),
                ignored("--iova-mode", "MODE"),
                ignored("--base-virtaddr", "ADDRESS"),
                ignored("--env-context", "TEXT"),
                ignored("--msg-mempool-size", "N"),
                ignored("--enforce-numa"),
                ignored("-d/--limit-coredump"));
    }

    private Flag ignored(String names, String argument) {
        return Flag.value(names, argument, "accepted without effect", _ -> noteIgnored(names));
    }

    private Flag ignored(String names) {
        return Flag.toggle(names, "accepted without effect", () -> noteIgnored(names));
    }

    private void noteIgnored(String names) {
        options.notice(names + " has no meaning on the JVM and is ignored");
    }
}
