package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.rpc.RpcAddress;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcServer;
import io.spindrift.framework.rpc.RpcState;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// The order in which an application starts and stops.
///
/// ```
///   start:  configuration for the start-up state -> [RPC server, framework_start_init] -> subsystems
///           -> configuration for the run-time state -> [RPC server] -> the program's job
///   stop:   the program's job -> RPC server -> subsystems, the last started first -> what they are built on
/// ```
/// Start and stop hold one lock; a stop that comes during the start waits for the step at hand, after which the start
/// gives up.
final class Lifecycle {
    /// How long a stop may take before its waiter is told what it waits for instead.
    static final long STOP_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Application application;
    private final ApplicationOptions options;
    private final AppComponents components;
    private final SubsystemGraph graph;
    private final Optional<ConfigLoader> config;
    private final RpcRegistry rpcs;
    private final Log log;
    private final LoggedRpcs rpcLog;
    private final Resources resources;
    private final long stopLimitNanos;

    private final ReentrantLock sequence = new ReentrantLock();
    private final AtomicInteger status = new AtomicInteger();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch initialized = new CountDownLatch(1);
    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Optional<RpcServer> server = Optional.empty();
    private boolean ready;

    Lifecycle(Application application, AppComponents components, SubsystemGraph graph, Optional<ConfigLoader> config,
            Log log, Resources resources, long stopLimitNanos) {
        this.application = application;
        this.options = application.options();
        this.components = components;
        this.graph = graph;
        this.config = config;
        this.rpcs = application.rpcs();
        this.log = log;
        this.rpcLog = new LoggedRpcs(log, components.rpcLog());
        this.resources = resources;
        this.stopLimitNanos = stopLimitNanos;
    }

    /// Starts, as far as `--wait-for-rpc` allows. If that fails, stops and gives everything back before it throws.
    void start() throws StartException {
        try {
            startLocked();
        } catch (Throwable e) { // whatever it is: reactors that nobody stops would keep the process up
            stop(1);
            try {
                awaitStopped();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            throw e;
        }
    }

    private void startLocked() throws StartException {
        sequence.lock();
        try {
            if (config.isPresent()) {
                resources.current("the configuration");
                config.get().check();
                config.get().run(stopping::get, resources::current);
            }
            if (options.waitForRpc()) {
                listen();
                log.notice("waiting for the RPC framework_start_init");
            } else {
                initialize();
            }
        } catch (ConfigException e) {
            throw new StartException(e.getMessage(), e);
        } finally {
            sequence.unlock();
        }
    }

    /// What `framework_start_init` does. If it fails the application ends.
    void initializeByRpc() {
        sequence.lock();
        try {
            if (sequence.getHoldCount() > 1) {
                throw notInConfiguration("framework_start_init");
            }
            if (initialized.getCount() == 0) {
                throw new RpcException(RpcException.INVALID_STATE, "the framework is initialized already, or stopping");
            }
            initializeOrStop();
        } finally {
            sequence.unlock();
        }
    }

    private void initializeOrStop() {
        try {
            initialize();
        } catch (ConfigException | StartException e) {
            log.error("%s", e.getMessage());
            stop(1);
            throw RpcException.internal(e.getMessage());
        } catch (RuntimeException | Error e) {
            stop(1);
            throw e;
        }
    }

    private void initialize() throws StartException, ConfigException {
        for (Subsystem subsystem : graph.order()) {
            if (stopping.get()) {
                return;
            }
            init(subsystem);
        }
        warnOfMissingLogFlags();
        rpcs.enter(RpcState.RUNTIME);
        if (config.isPresent()) {
            resources.current("the configuration");
            config.get().run(stopping::get, resources::current);
        }
        if (stopping.get()) {
            return;
        }
        listen();
        ready = true;
        resources.current("nothing");
        initialized.countDown();
        application.reactors().control().submit(() -> {
            runProgram();
            return null;
        });
    }

    private void init(Subsystem subsystem) throws StartException {
        resources.current("the start of subsystem " + subsystem.name());
        try {
            subsystem.init();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("the start of subsystem " + subsystem.name() + " was interrupted", e);
        } catch (Exception e) {
            String reason = e.getMessage() == null ? e.toString() : e.getMessage();
            throw new StartException("subsystem " + subsystem.name() + " does not start: " + reason, e);
        }
        resources.hold("subsystem " + subsystem.name(), subsystem::shutdown);
    }

    /// All modules have asked for their flags by now. Scripts may name topics of other versions of the peer, so that this is
    /// no reason to end.
    private void warnOfMissingLogFlags() {
        if (!log.missingFlags().isEmpty()) {
            log.warn("-L/--logflag %s changes nothing: no module logs under that name; there are: all, %s",
                    String.join(", ", log.missingFlags()), String.join(", ", log.flagStates().keySet()));
        }
    }

    private void listen() throws StartException {
        if (server.isPresent() || options.rpcAddress().isEmpty()) {
            return;
        }
        try {
            server = Optional.of(RpcServer.listen(RpcAddress.parse(options.rpcAddress().get()), rpcs,
                    rpcLog, application.reactors().control().executor()));
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException("no RPC server: " + e.getMessage(), e);
        }
    }

    private void runProgram() {
        try {
            components.started(application);
        } catch (Throwable e) { // an error, too, must not leave a program behind that does nothing
            log.error(e, "%s ends, because its job failed", options.name());
            stop(1);
        }
    }

    private static RpcException notInConfiguration(String method) {
        return new RpcException(RpcException.INVALID_STATE,
                method + " has no place in a configuration, which is a part of the start");
    }

    Optional<RpcAddress> rpcAddress() {
        return server.map(RpcServer::address);
    }

    /// Returns once the subsystems have started; refused if they will not.
    void awaitInitialized() throws InterruptedException {
        if (sequence.isHeldByCurrentThread()) {
            throw notInConfiguration("framework_wait_init");
        }
        initialized.await();
        if (stopping.get()) {
            throw RpcException.internal("the application is stopping");
        }
    }

    /// Begins to stop, or goes on stopping. The highest of all `exitStatus` will be the application's.
    void stop(int exitStatus) {
        status.accumulateAndGet(exitStatus, Math::max);
        if (stopping.compareAndSet(false, true)) {
            stopRequested.countDown();
            initialized.countDown();
            Thread.ofPlatform().name(options.name() + "-stop").daemon().start(this::shutDown);
        }
    }

    private void shutDown() {
        sequence.lock();
        try {
            boolean clean = !ready || resources.perform("the program", () -> components.stopping(application));
            if (server.isPresent()) {
                clean &= resources.perform("the RPC server", server.get());
            }
            clean &= resources.release();
            if (!clean) {
                status.accumulateAndGet(1, Math::max);
            }
        } finally {
            sequence.unlock();
            stopped.countDown();
        }
    }

    /// Waits for the end, or for the limit after a stop was asked for. Returns the status; 1 after the limit, and then
    /// the log says what holds.
    int awaitStopped() throws InterruptedException {
        stopRequested.await();
        if (stopped.await(stopLimitNanos, TimeUnit.NANOSECONDS)) {
            return status.get();
        }
        log.error("%s (process %d) did not stop within %d ms: it still waits for %s; threads left: %s", options.name(),
                ProcessHandle.current().pid(), TimeUnit.NANOSECONDS.toMillis(stopLimitNanos), resources.current(),
                application.reactors().threads());
        log.flush();
        return Math.max(1, status.get());
    }
}
