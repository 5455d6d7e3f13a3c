package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogLevel;
import io.spindrift.framework.log.PeerTopics;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.IobufSubsystem;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.framework.rpc.RpcAddress;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.framework.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// A running program: reactors, memory, RPCs and the subsystems built on them.
///
/// ```java
/// Application app = Application.create(options, components, log);
/// app.start();                 // returns when it serves, or waits for framework_start_init
/// int status = app.join();     // returns when someone has called app.stop()
/// ```
/// Several can live in one JVM: none touches the process itself, whose signals and exit belong to [Launcher].
/// Methods may be called from any thread but a reactor's.
public final class Application implements AutoCloseable {
    private final ApplicationOptions options;
    private final Log log;
    private final Environment environment;
    private final IobufSubsystem iobuf;
    private final Lifecycle lifecycle;

    private Application(ApplicationOptions options, AppComponents components, Log log, Resources resources,
            Optional<Consumer<KillSignal>> signals, long stopLimitNanos) throws StartException {
        this.options = options;
        this.log = log;
        this.environment = new Environment(options, log, resources);
        environment.registerRpcs(log, signals.orElse(this::stopBySignal));
        this.iobuf = new IobufSubsystem(environment.memory());
        SubsystemGraph graph = graph(components);
        Tracing.enable(options, environment.trace(), log);
        if (!options.rpcsAllowed().isEmpty()) {
            environment.rpcs().allowOnly(options.rpcsAllowed());
        }
        this.lifecycle = new Lifecycle(this, components, graph, config(graph), log, resources, stopLimitNanos);
        LifecycleRpcs.register(environment.rpcs(), lifecycle, graph);
        registerRpcs(graph);
    }

    /// Makes an application of `components`, with its reactors running but none of its subsystems started. The log stays
    /// the caller's, who closes it after [#join()].
    ///
    /// @throws StartException if `options` ask for what cannot be had; then nothing is left of it
    public static Application create(ApplicationOptions options, AppComponents components, Log log)
            throws StartException {
        return create(options, components, log, Optional.empty(), Lifecycle.STOP_LIMIT_NANOS);
    }

    /// As [#create(ApplicationOptions, AppComponents, Log)], where `signals` does what `spdk_kill_instance` asks for.
    static Application create(ApplicationOptions options, AppComponents components, Log log,
            Optional<Consumer<KillSignal>> signals, long stopLimitNanos) throws StartException {
        if (options.silenceNotices()) {
            log.printLevel(LogLevel.WARNING);
        }
        PeerTopics.NAMES.forEach(log::flag);
        options.logFlags().forEach(log::expectFlag);
        if (!options.logFlags().isEmpty()) {
            log.printLevel(LogLevel.DEBUG);
        }
        log.notice("%s: %s, process %d, cpumask %s", options.name(), CoreRpcs.versionText(),
                ProcessHandle.current().pid(), options.cpuMask());
        options.notices().forEach(notice -> log.notice("%s", notice));
        Resources resources = new Resources(log);
        boolean complete = false;
        try {
            Application application = new Application(options, components, log, resources, signals, stopLimitNanos);
            complete = true;
            return application;
        } finally {
            if (!complete) {
                resources.release();
            }
        }
    }

    private SubsystemGraph graph(AppComponents components) throws StartException {
        try {
            List<Subsystem> subsystems = new ArrayList<>();
            subsystems.add(new SchedulerSubsystem(environment.reactors(), options.mainCore()));
            subsystems.add(iobuf);
            subsystems.addAll(components.subsystems(this));
            return new SubsystemGraph(subsystems);
        } catch (Exception e) {
            throw new StartException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
    }

    private void registerRpcs(SubsystemGraph graph) throws StartException {
        for (Subsystem subsystem : graph.order()) {
            try {
                subsystem.registerRpcs(environment.rpcs());
            } catch (Exception e) {
                String reason = e.getMessage() == null ? e.toString() : e.getMessage();
                throw new StartException("subsystem " + subsystem.name() + " does not start: " + reason, e);
            }
        }
    }

    private Optional<ConfigLoader> config(SubsystemGraph graph) throws StartException {
        if (options.configFile().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ConfigLoader(ConfigFile.read(options.configFile().get()), environment.rpcs(),
                    graph.order().stream().map(Subsystem::name).collect(Collectors.toSet()),
                    options.ignoreInitErrors(), log));
        } catch (ConfigException e) {
            throw new StartException(e.getMessage(), e);
        }
    }

    /// What a signal means to an application that does not own its process.
    private void stopBySignal(KillSignal signal) {
        switch (signal) {
            case SIGINT, SIGTERM -> stop(0);
            case SIGQUIT, SIGHUP, SIGKILL, SIGUSR1 -> throw new IllegalArgumentException("sig_name=" + signal
                    + " would end the process, which is not this application's own; SIGINT and SIGTERM end it alone");
        }
    }

    // ---- life -------------------------------------------------------------------------------------------------

    /// Loads the configuration, starts the subsystems, listens for RPCs, and starts the program's job. With
    /// `--wait-for-rpc` returns as soon as it listens; `framework_start_init` does the rest.
    ///
    /// @throws StartException if something fails; the application has stopped then
    public void start() throws StartException {
        lifecycle.start();
    }

    /// Begins to stop and returns. The exit status will be the highest that anyone gave.
    public void stop(int exitStatus) {
        lifecycle.stop(exitStatus);
    }

    /// Waits until the application has stopped, after someone called [#stop(int)], and returns its exit status. If the
    /// stop takes more than five seconds, logs what it waits for and returns a status that is not 0.
    public int join() throws InterruptedException {
        return lifecycle.awaitStopped();
    }

    /// Stops with status 0 and waits for the end.
    @Override
    public void close() {
        stop(0);
        try {
            join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- what programs and subsystems are built on -------------------------------------------------------------

    /// How it was asked to run.
    public ApplicationOptions options() {
        return options;
    }

    /// Its log.
    public Log log() {
        return log;
    }

    /// Its reactors and threads.
    public Reactors reactors() {
        return environment.reactors();
    }

    /// Its native memory.
    public Memory memory() {
        return environment.memory();
    }

    /// Its buffer pools, which exist once subsystem `iobuf` has started: who uses them depends on that.
    public BufferPools bufferPools() {
        return iobuf.pools();
    }

    /// Its RPC methods.
    public RpcRegistry rpcs() {
        return environment.rpcs();
    }

    /// Where it listens for RPCs, with the port found if 0 was asked for; nothing while it does not.
    public Optional<RpcAddress> rpcAddress() {
        return lifecycle.rpcAddress();
    }

    /// Its tracepoints and probes.
    public Trace trace() {
        return environment.trace();
    }

    /// What happened to its objects.
    public Notifications notifications() {
        return environment.notifications();
    }

    /// What third parties added to it.
    public Plugins plugins() {
        return environment.plugins();
    }
}
