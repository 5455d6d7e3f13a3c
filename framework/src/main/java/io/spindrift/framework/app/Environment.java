package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.framework.trace.Trace;
import io.spindrift.framework.trace.TraceRpcs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// What an application is built on: cores, reactors, memory, plug-ins, and the registries that its parts fill.
final class Environment {
    /// How long threads may take to end before they are forced; well inside the limit for the whole stop.
    private static final long THREAD_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final Path LOCK_FOLDER = Path.of("/var/tmp");
    private static final Path PROC = Path.of("/proc");
    private static final Path SYS = Path.of("/sys");

    private final Notifications notifications = new Notifications();
    private final RpcRegistry rpcs = new RpcRegistry();
    private final KernelStatistics kernel = new KernelStatistics(PROC, SYS);
    private final PciDevices pciDevices;
    private final Plugins plugins;
    private final CoreLocks locks;
    private final Reactors reactors;
    private final Memory memory;
    private final Trace trace;
    private final ContextSwitchMonitor switches;

    /// Acquires what `options` ask for and puts it into `resources`, also if it fails on the way.
    Environment(ApplicationOptions options, Log log, Resources resources) throws StartException {
        requireCores(options);
        plugins = Plugins.load(options.pluginPath(), problem -> log.error("%s", problem));
        pciDevices = new PciDevices(SYS, options.pci());
        locks = resources.hold("the locks on cores", new CoreLocks(LOCK_FOLDER));
        if (options.cpuLocks()) {
            lock(options);
        }
        reactors = Reactors.start(new ReactorOptions(options.name(), options.cpuMask(), options.mainCore(),
                options.poll(), TimeUnit.MICROSECONDS.toNanos(options.idleSpinMicros()), new LoggedReactorEvents(log)));
        reactors.control().executor().execute(Trace::warmUp);
        // Memory and trace close after the reactors have stopped, and so are held first.
        memory = resources.hold("memory", new Memory(options.memory().options(), reactors));
        trace = resources.hold("the trace", Tracing.create(options, reactors, plugins, log));
        resources.hold("the reactors", () -> reactors.stop(THREAD_LIMIT_NANOS));
        switches = resources.hold("the watch over context switches", new ContextSwitchMonitor(reactors, kernel, log));
    }

    private static void requireCores(ApplicationOptions options) throws StartException {
        if (!options.cpuMask().contains(options.mainCore())) {
            throw new StartException("main core " + options.mainCore() + " (-p/--main-core) is not in the cpumask "
                    + options.cpuMask());
        }
        for (int core : options.cpuMask().cores()) {
            if (!Files.exists(SYS.resolve("devices/system/cpu/cpu" + core))) {
                throw new StartException("core " + core + " of the cpumask " + options.cpuMask()
                        + " does not exist on this machine");
            }
        }
    }

    private void lock(ApplicationOptions options) throws StartException {
        try {
            locks.lock(options.cpuMask());
        } catch (CoreLocks.Refused refused) {
            throw new StartException(refused.getMessage(), refused);
        }
    }

    /// Registers the RPCs about all this; `signals` does what `spdk_kill_instance` asks for.
    void registerRpcs(Log log, Consumer<KillSignal> signals) {
        CoreRpcs.register(rpcs);
        LogRpcs.register(rpcs, log);
        NotifyRpcs.register(rpcs, notifications);
        ThreadRpcs.register(rpcs, reactors, kernel);
        TraceRpcs.register(rpcs, trace);
        MachineRpcs.registerProcess(rpcs, signals, switches);
        MachineRpcs.registerLocks(rpcs, locks, reactors);
        MachineRpcs.registerDevices(rpcs, pciDevices);
    }

    Notifications notifications() {
        return notifications;
    }

    RpcRegistry rpcs() {
        return rpcs;
    }

    Plugins plugins() {
        return plugins;
    }

    Reactors reactors() {
        return reactors;
    }

    Memory memory() {
        return memory;
    }

    Trace trace() {
        return trace;
    }
}
