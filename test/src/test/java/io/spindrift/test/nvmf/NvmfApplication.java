package io.spindrift.test.nvmf;

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
import io.spindrift.nvmf.NvmfEngine;
import io.spindrift.nvmf.NvmfTargetSubsystem;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import io.spindrift.sock.SockSubsystem;
import io.spindrift.sock.Sockets;
import java.time.Clock;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// An application of the block layer and the target, without controllers.
public final class NvmfApplication implements AutoCloseable {
    private final Log log = new Log((_, _) -> {}, LogSink.discard(), Clock.systemUTC());
    private final Application application;

    private NvmfApplication(ApplicationOptions options, List<NvmfTransportProvider> providers) throws StartException {
        boolean started = false;
        try {
            application = Application.create(options, components(providers), log);
            application.start();
            started = true;
        } finally {
            if (!started) {
                log.close();
            }
        }
    }

    private static AppComponents components(List<NvmfTransportProvider> providers) {
        return application -> {
            Sockets sockets = Sockets.load(application.reactors(), application.log(),
                    NvmfApplication.class.getModule().getLayer());
            BdevSubsystem bdev = new BdevSubsystem(application, sockets);
            return List.<Subsystem>of(new NvmfTargetSubsystem(bdev, NvmfEngine.NONE, providers), bdev,
                    new SockSubsystem(sockets, application.log()));
        };
    }

    /// An application on core 0 whose transport TCP listens nowhere.
    public static NvmfApplication start() throws StartException {
        return start(UnaryOperator.identity());
    }

    /// As [#start()], with more options.
    public static NvmfApplication start(UnaryOperator<ApplicationOptions.Builder> options) throws StartException {
        return start(options, List.of(new FakeProvider()));
    }

    static NvmfApplication start(UnaryOperator<ApplicationOptions.Builder> options,
            List<NvmfTransportProvider> providers) throws StartException {
        return new NvmfApplication(
                options.apply(
                        ApplicationOptions.builder("nvmf_tgt").cpuLocks(false).noRpcServer().traceEntries(1024))
                        .build(),
                providers);
    }

    /// Calls a method as a client would, who reads the answer as text.
    public JsonNode call(String method, JsonNode params) {
        return Json.parse(Json.compact(application.rpcs().dispatch(method, params)));
    }

    /// As the other, with JSON that has apostrophes for quotation marks.
    public JsonNode call(String method, String params) {
        return call(method, Json.parse(params.replace('\'', '"')));
    }

    /// The error of a call that must fail.
    public RpcException refusal(String method, String params) {
        try {
            throw new AssertionError(method + " was not refused and answered " + call(method, params));
        } catch (RpcException e) {
            return e;
        }
    }

    @Override
    public void close() {
        application.close();
        log.close();
    }
}
