package io.spindrift.framework.app;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.trace.TraceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// How an application is to run: what the flags say that every program has, validated.
///
/// Made by a [Builder], which [CommonFlags] fills from a command line; programs with a life in a test or in another
/// program set what they need themselves.
public final class ApplicationOptions {
    /// Where an application listens for RPCs unless it is told otherwise.
    public static final String DEFAULT_RPC_ADDRESS = "/var/tmp/spdk.sock";
    /// How many entries each reactor's trace ring has unless it is told otherwise.
    public static final int DEFAULT_TRACE_ENTRIES = TraceOptions.DEFAULT_ENTRIES;
    /// How long a reactor without work spins before it sleeps, in microseconds, unless it is told otherwise.
    public static final int DEFAULT_IDLE_SPIN_MICROS = 200;

    private final Builder values;

    private ApplicationOptions(Builder values) {
        this.values = values;
    }

    /// Options of the program called `name`, all at their defaults.
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /// The program's name, which its messages, trace file and system log lines carry.
    public String name() {
        return values.name;
    }

    /// The JSON configuration to load.
    public Optional<Path> configFile() {
        return values.configFile;
    }

    /// Whether start-up goes on after an entry of the configuration has failed.
    public boolean ignoreInitErrors() {
        return values.ignoreInitErrors;
    }

    /// Where to listen for RPCs, a socket's path or `IP:PORT`; nothing for no server.
    public Optional<String> rpcAddress() {
        return values.rpcServer ? Optional.of(values.rpcAddress) : Optional.empty();
    }

    /// The only RPCs to answer; empty for all.
    public List<String> rpcsAllowed() {
        return values.rpcsAllowed;
    }

    /// Whether subsystems start only after the RPC `framework_start_init`.
    public boolean waitForRpc() {
        return values.waitForRpc;
    }

    /// The cores to run a reactor on each.
    public CpuMask cpuMask() {
        return values.cpuMask;
    }

    /// The core of the application's own thread.
    public int mainCore() {
        return values.mainCore.orElse(values.cpuMask.cores()[0]);
    }

    /// Whether each core is locked against other programs that would poll it too.
    public boolean cpuLocks() {
        return values.cpuLocks;
    }

    /// Whether reactors spin without end instead of sleeping when idle.
    public boolean poll() {
        return values.poll;
    }

    /// How long a reactor without work spins before it sleeps.
    public int idleSpinMicros() {
        return values.idleSpinMicros;
    }

    /// What is said about memory.
    public MemoryFlags memory() {
        return values.memory;
    }

    /// What is said about PCI devices.
    public PciFlags pci() {
        return values.pci;
    }

    /// The number that applications which share memory and trace files have in common.
    public OptionalInt sharedMemoryId() {
        return values.sharedMemoryId;
    }

    /// Log flags to turn on.
    public List<String> logFlags() {
        return values.logFlags;
    }

    /// Whether notices are kept from standard error.
    public boolean silenceNotices() {
        return values.silenceNotices;
    }

    /// Tracepoints to turn on, each as `-e` takes it.
    public List<String> tracepoints() {
        return values.tracepoints;
    }

    /// Entries of each reactor's trace ring; 0 for no tracing.
    public int traceEntries() {
        return values.traceEntries;
    }

    /// Folders to look for plug-ins in.
    public List<Path> pluginPath() {
        return values.pluginPath;
    }

    /// One sentence for each flag that was accepted for compatibility and does nothing.
    public List<String> notices() {
        return Stream.of(values.notices, values.memory.notices()).flatMap(List::stream).toList();
    }

    /// Collects options; used by one thread.
    public static final class Builder {
        private final String name;
        private Optional<Path> configFile = Optional.empty();
        private boolean ignoreInitErrors;
        private String rpcAddress = DEFAULT_RPC_ADDRESS;
        private boolean rpcServer = true;
        private List<String> rpcsAllowed = List.of();
        private boolean waitForRpc;
        private CpuMask cpuMask = CpuMask.of(0);
        private OptionalInt mainCore = OptionalInt.empty();
        private boolean cpuLocks = true;
        private boolean poll;
        private int idleSpinMicros = DEFAULT_IDLE_SPIN_MICROS;
        private MemoryFlags memory = MemoryFlags.DEFAULT;
        private PciFlags pci = PciFlags.DEFAULT;
        private OptionalInt sharedMemoryId = OptionalInt.empty();
        private List<String> logFlags = List.of();
        private boolean silenceNotices;
        private List<String> tracepoints = List.of();
        private int traceEntries = DEFAULT_TRACE_ENTRIES;
        private List<Path> pluginPath = List.of();
        private List<String> notices = List.of();

        private Builder(String name) {
            this.name = name;
        }

        private Builder(Builder other) {
            name = other.name;
            configFile = other.configFile;
            ignoreInitErrors = other.ignoreInitErrors;
            rpcAddress = other.rpcAddress;
            rpcServer = other.rpcServer;
            rpcsAllowed = other.rpcsAllowed;
            waitForRpc = other.waitForRpc;
            cpuMask = other.cpuMask;
            mainCore = other.mainCore;
            cpuLocks = other.cpuLocks;
            poll = other.poll;
            idleSpinMicros = other.idleSpinMicros;
            memory = other.memory;
            pci = other.pci;
            sharedMemoryId = other.sharedMemoryId;
            logFlags = other.logFlags;
            silenceNotices = other.silenceNotices;
            tracepoints = other.tracepoints;
            traceEntries = other.traceEntries;
            pluginPath = other.pluginPath;
            notices = other.notices;
        }

        /// Sets [ApplicationOptions#configFile()].
        public Builder configFile(Path file) {
            configFile = Optional.of(file);
            return this;
        }

        /// Sets [ApplicationOptions#ignoreInitErrors()].
        public Builder ignoreInitErrors(boolean wanted) {
            ignoreInitErrors = wanted;
            return this;
        }

        /// Sets [ApplicationOptions#rpcAddress()], and has a server.
        public Builder rpcAddress(String address) {
            rpcAddress = FlagValues.rpcAddress(address);
            rpcServer = true;
            return this;
        }

        /// Runs no RPC server.
        public Builder noRpcServer() {
            rpcServer = false;
            return this;
        }

        /// Adds to [ApplicationOptions#rpcsAllowed()].
        public Builder allowRpcs(List<String> methods) {
            rpcsAllowed = joined(rpcsAllowed, methods);
            return this;
        }

        /// Sets [ApplicationOptions#waitForRpc()].
        public Builder waitForRpc(boolean wanted) {
            waitForRpc = wanted;
            return this;
        }

        /// Sets [ApplicationOptions#cpuMask()].
        public Builder cpuMask(CpuMask cores) {
            cpuMask = cores;
            return this;
        }

        /// Sets [ApplicationOptions#mainCore()]; unset, it is the first core of the mask.
        public Builder mainCore(int core) {
            mainCore = OptionalInt.of(core);
            return this;
        }

        /// Sets [ApplicationOptions#cpuLocks()].
        public Builder cpuLocks(boolean wanted) {
            cpuLocks = wanted;
            return this;
        }

        /// Sets [ApplicationOptions#poll()].
        public Builder poll(boolean wanted) {
            poll = wanted;
            return this;
        }

        /// Sets [ApplicationOptions#idleSpinMicros()].
        public Builder idleSpinMicros(int micros) {
            idleSpinMicros = micros;
            return this;
        }

        /// [ApplicationOptions#memory()] as set so far.
        public MemoryFlags memory() {
            return memory;
        }

        /// Sets [ApplicationOptions#memory()].
        public Builder memory(MemoryFlags flags) {
            memory = flags;
            return this;
        }

        PciFlags pci() {
            return pci;
        }

        /// Sets [ApplicationOptions#pci()].
        public Builder pci(PciFlags flags) {
            pci = flags;
            return this;
        }

        /// Sets [ApplicationOptions#sharedMemoryId()]; below 0 for none.
        public Builder sharedMemoryId(int id) {
            sharedMemoryId = id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
            return this;
        }

        /// Adds to [ApplicationOptions#logFlags()].
        public Builder logFlags(List<String> flags) {
            logFlags = joined(logFlags, flags);
            return this;
        }

        /// Sets [ApplicationOptions#silenceNotices()].
        public Builder silenceNotices(boolean wanted) {
            silenceNotices = wanted;
            return this;
        }

        /// Adds to [ApplicationOptions#tracepoints()].
        public Builder tracepoints(String text) {
            tracepoints = joined(tracepoints, List.of(text));
            return this;
        }

        /// Sets [ApplicationOptions#traceEntries()].
        public Builder traceEntries(int entries) {
            traceEntries = entries;
            return this;
        }

        /// Adds to [ApplicationOptions#pluginPath()].
        public Builder pluginPath(Path folder) {
            pluginPath = joined(pluginPath, List.of(folder));
            return this;
        }

        /// Adds to [ApplicationOptions#notices()].
        public Builder notice(String sentence) {
            notices = joined(notices, List.of(sentence));
            return this;
        }

        /// The options as collected so far.
        public ApplicationOptions build() {
            return new ApplicationOptions(new Builder(this));
        }

        private static <T> List<T> joined(List<T> some, List<T> more) {
            List<T> all = new ArrayList<>(some);
            all.addAll(more);
            return List.copyOf(all);
        }
    }
}
