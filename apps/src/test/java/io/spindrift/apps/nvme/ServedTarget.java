package io.spindrift.apps.nvme;

import io.spindrift.apps.EmbeddedPrograms;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.rpc.Json;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/// An `nvmf_tgt` in this JVM as `target.json` sets it up: two namespaces in one subsystem, one in another, at a free port.
public final class ServedTarget implements AutoCloseable {
    public static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    public static final String NULL_NQN = "nqn.2016-06.io.spdk:null";
    /// Where the peer found the target when the transcripts were made.
    public static final String PEERS_PORT = "14500";

    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
    private final Application application;
    public final int port;

    public ServedTarget() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path file = Files.createTempFile("target", ".json");
        try {
            Files.writeString(file, resource("target.json").replace(PEERS_PORT, Integer.toString(port)));
            application = Application.create(ApplicationOptions.builder("nvmf_tgt").noRpcServer().cpuLocks(false)
                    .traceEntries(0).configFile(file).build(), EmbeddedPrograms.target(), log);
            application.start();
        } finally {
            Files.delete(file);
        }
    }

    /// A resource of this package.
    public static String resource(String name) throws Exception {
        try (InputStream file = ServedTarget.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// The transport ID of its discovery subsystem.
    public String address() {
        return "trtype:TCP adrfam:IPv4 traddr:127.0.0.1 trsvcid:" + port;
    }

    /// The transport ID of a subsystem.
    public String address(String nqn) {
        return address() + " subnqn:" + nqn;
    }

    /// Calls a method. `params` are JSON with apostrophes for quotation marks.
    public void call(String method, String params) {
        application.rpcs().dispatch(method, Json.parse(params.replace('\'', '"')));
    }

    @Override
    public void close() {
        application.close();
        log.close();
    }
}
