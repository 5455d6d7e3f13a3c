package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import java.io.BufferedReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// The RPC server of an application, and the start by RPC.
@Timeout(30)
class ApplicationRpcTest extends ApplicationFixture {
    @Test
    void stopsWhenAnErrorEndsTheStartByRpc() throws Exception {
        components.add("a").init = _ -> {
            throw new AssertionError("a bug");
        };
        Application application = start(serving().waitForRpc(true));
        assertThrows(RpcException.class, () -> call(application, "framework_start_init"));
        assertEquals(1, application.join());
    }

    @Test
    void waitsForTheRpcThatStartsTheSubsystems() throws Exception {
        components.add("bdev");
        Application application = start(serving().waitForRpc(true));

        assertTrue(Files.exists(folder.resolve("rpc.sock")));
        assertFalse(components.journal.contains("init bdev"));
        assertEquals("[\"framework_start_init\"]", Json.compact(Json.tree(application.rpcs().names(true, false).stream()
                .filter(name -> name.equals("framework_start_init") || name.equals("thread_set_cpumask")).toList())));

        assertEquals("true", Json.compact(call(application, "framework_start_init")));
        assertEquals("true", Json.compact(call(application, "framework_wait_init")));
        assertTrue(components.journal.contains("init bdev"));
        assertEquals(-1, assertThrows(RpcException.class, () -> call(application, "framework_start_init")).code());
        application.close();
    }

    @Test
    void endsWhenTheRpcThatStartsTheSubsystemsFails() throws Exception {
        components.add("bdev").init = _ -> {
            throw new IllegalStateException("no memory");
        };
        Application application = start(serving().waitForRpc(true));
        RpcException refused = assertThrows(RpcException.class, () -> call(application, "framework_start_init"));

        assertEquals(-32603, refused.code());
        assertEquals("subsystem bdev does not start: no memory", refused.getMessage());
        assertEquals(1, application.join());
    }

    @Test
    void letsThoseWhoWaitForTheStartKnowThatThereWillBeNone() throws Exception {
        Application application = start(serving().waitForRpc(true));
        FutureTask<JsonNode> waiting = new FutureTask<>(() -> call(application, "framework_wait_init"));
        Thread.ofVirtual().start(waiting);
        application.stop(0);

        var refused = assertThrows(ExecutionException.class, waiting::get);
        assertEquals("the application is stopping", refused.getCause().getMessage());
        application.join();
    }

    @Test
    void servesRpcsOnItsSocketAndRemovesIt() throws Exception {
        Application application = start(serving());

        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"NOTICE\"}", request(folder.resolve("rpc.sock"),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"log_get_level\"}"));
        application.close();
        assertFalse(Files.exists(folder.resolve("rpc.sock")));
    }

    @Test
    void startsWhenTheClientThatWaitsForTheStartAsksForItOnTheSameConnection() throws Exception {
        Application application = start(serving().waitForRpc(true));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("rpc.sock")))) {
            channel.write(ByteBuffer.wrap(("{\"method\":\"framework_wait_init\",\"id\":1}"
                    + "{\"method\":\"framework_start_init\",\"id\":2}").getBytes(StandardCharsets.UTF_8)));
            BufferedReader replies = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));

            assertEquals(Set.of("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}",
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":true}"), Set.of(replies.readLine(), replies.readLine()));
        }
        application.close();
    }

    @Test
    void refusesAnAddressWhereItCannotListen() {
        String message = startRefusal(ApplicationOptions.builder("tgt").cpuLocks(false)
                .rpcAddress(folder.resolve("none/rpc.sock").toString()));

        assertTrue(message.startsWith("no RPC server: ") && message.contains("none/rpc.sock"), message);
    }

    @Test
    void namesASubsystemWhoseMethodsCannotBeAdded() {
        components.add("bdev").rpcs = rpcs -> rpcs.register(RpcMethod.of("log_get_level", NoParams.class,
                RpcState.RUNTIME), _ -> true);

        assertEquals("subsystem bdev does not start: the RPC method log_get_level is registered already",
                startRefusal(options()));
    }
}
