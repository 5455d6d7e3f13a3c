package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// An application of scripted subsystems, and how it is asked.
abstract class ApplicationFixture {
    @TempDir
    Path folder;

    final RecordedLog log = new RecordedLog();
    final FakeComponents components = new FakeComponents();

    @AfterEach
    void close() {
        log.close();
    }

    ApplicationOptions.Builder options() {
        return ApplicationOptions.builder("tgt").cpuLocks(false).noRpcServer();
    }

    ApplicationOptions.Builder serving() {
        return ApplicationOptions.builder("tgt").cpuLocks(false).rpcAddress(folder.resolve("rpc.sock").toString());
    }

    Application create(ApplicationOptions.Builder options) throws StartException {
        return Application.create(options.build(), components, log.log());
    }

    Application start(ApplicationOptions.Builder options) throws StartException {
        Application application = create(options);
        application.start();
        return application;
    }

    String startRefusal(ApplicationOptions.Builder options) {
        return assertThrows(StartException.class, () -> start(options)).getMessage();
    }

    ApplicationOptions.Builder configured(String text) throws Exception {
        return options().configFile(Files.writeString(folder.resolve("c.json"), text));
    }

    static JsonNode call(Application application, String method) {
        return application.rpcs().dispatch(method, null);
    }

    static String request(Path socket, String json) throws Exception {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)));
            return new BufferedReader(Channels.newReader(channel,
                    StandardCharsets.UTF_8)).readLine();
        }
    }
}
