package io.spindrift.test.tgt;

import io.spindrift.apps.EmbeddedPrograms;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.StartException;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// The program `spdk_tgt` in this JVM, with a log that the test reads. Several may run at once.
public final class EmbeddedTarget implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());
    private final Application application;
    private BdevSubsystem bdev;

    private EmbeddedTarget(ApplicationOptions options, AppComponents target) throws StartException {
        boolean started = false;
        try {
            application = Application.create(options, new Components(target), log);
            application.start();
            started = true;
        } finally {
            if (!started) {
                log.close();
            }
        }
    }

    /// A target on core 0 without an RPC server, which [#call] does not need.
    public static EmbeddedTarget start() throws StartException {
        return start("spdk_tgt", UnaryOperator.identity());
    }

    /// A target called `name` with more options than those of [#start()].
    public static EmbeddedTarget start(String name, UnaryOperator<ApplicationOptions.Builder> options)
            throws StartException {
        return start(name, options, EmbeddedPrograms.target());
    }

    /// A program of other parts, of which one is a [BdevSubsystem].
    public static EmbeddedTarget start(String name, UnaryOperator<ApplicationOptions.Builder> options,
            AppComponents components) throws StartException {
        return new EmbeddedTarget(options
                .apply(ApplicationOptions.builder(name).cpuLocks(false).noRpcServer().traceEntries(1024)).build(),
                components);
    }

    /// The program `nvmf_tgt`, on core 0 and without an RPC server.
    public static EmbeddedTarget startNvmf() throws StartException {
        return startNvmf(UnaryOperator.identity());
    }

    /// As [#startNvmf()], with more options.
    public static EmbeddedTarget startNvmf(UnaryOperator<ApplicationOptions.Builder> options) throws StartException {
        return start("nvmf_tgt", options);
    }

    /// The target's own components, of which the block layer is remembered.
    private final class Components implements AppComponents {
        private final AppComponents target;

        Components(AppComponents target) {
            this.target = target;
        }

        @Override
        public List<Subsystem> subsystems(Application made) throws Exception {
            List<Subsystem> subsystems = target.subsystems(made);
            bdev = subsystems.stream().filter(BdevSubsystem.class::isInstance).map(BdevSubsystem.class::cast)
                    .findFirst().orElseThrow();
            return subsystems;
        }

        @Override
        public void started(Application running) throws Exception {
            target.started(running);
        }

        @Override
        public void stopping(Application running) throws Exception {
            target.stopping(running);
        }
    }

    public Application application() {
        return application;
    }

    public BdevRegistry registry() {
        return bdev.registry();
    }

    /// Calls a method as a client would. `params` are JSON with apostrophes for quotation marks.
    public JsonNode call(String method, String params) {
        return application.rpcs().dispatch(method, Json.parse(params.replace('\'', '"')));
    }

    /// As [#call(String, String)], without parameters.
    public JsonNode call(String method) {
        return application.rpcs().dispatch(method, null);
    }

    /// The error of a call that must fail.
    public RpcException refusal(String method, String params) {
        try {
            throw new AssertionError(method + " was not refused and answered " + call(method, params));
        } catch (RpcException e) {
            return e;
        }
    }

    /// What has been logged so far, one line each.
    public List<String> log() throws InterruptedException {
        log.flush();
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /// Stops it and returns its exit status. It may be closed all the same.
    public int stop() throws InterruptedException {
        application.stop(0);
        return application.join();
    }

    @Override
    public void close() {
        application.close();
        log.close();
    }
}
