package io.spindrift.framework.rpc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A server with methods that answer at once, late, or never.
abstract class RpcServerFixture {
    static final String VERSION_RESULT = "{\"version\":\"Spindrift v0.1.0\","
            + "\"fields\":{\"major\":0,\"minor\":1,\"patch\":0,\"suffix\":\"\"}}";

    record Echo(String text) {}

    record Count(int lines) {}

    /// What a handler did, and where.
    record Step(String what, Thread thread) {
        static Step of(String what) {
            return new Step(what, Thread.currentThread());
        }
    }

    @TempDir
    Path directory;

    final RpcRegistry registry = new RpcRegistry();
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final Semaphore slowCallsBegun = new Semaphore(0);
    final Semaphore slowCallsMayEnd = new Semaphore(0);
    final Semaphore eventCallsBegun = new Semaphore(0);
    final Semaphore events = new Semaphore(0);
    final List<Step> steps = Collections.synchronizedList(new ArrayList<>());
    RpcServer server;

    @BeforeEach
    void serve() throws IOException {
        CoreRpcs.register(registry);
        registry.register(RpcMethod.of("echo", Echo.class, RpcState.STARTUP), Echo::text);
        registry.register(RpcMethod.of("repeat", Count.class, RpcState.STARTUP),
                count -> Collections.nCopies(count.lines(), "0123456789"));
        registry.register(RpcMethod.of("slow", NoParams.class, RpcState.STARTUP), none -> {
            steps.add(Step.of("slow begins"));
            slowCallsBegun.release();
            slowCallsMayEnd.acquire();
            steps.add(Step.of("slow ends"));
            return true;
        });
        registry.register(RpcMethod.of("event", NoParams.class, RpcState.STARTUP), none -> {
            steps.add(Step.of("event"));
            return new RpcWait(() -> {
                eventCallsBegun.release();
                events.acquire();
                return "event";
            });
        });
        registry.register(RpcMethod.of("raise", NoParams.class, RpcState.STARTUP), none -> {
            steps.add(Step.of("raise"));
            events.release();
            return true;
        });
        registry.register(RpcMethod.of("broken", NoParams.class, RpcState.STARTUP), none -> {
            throw new AssertionError("a bug");
        });
        server = RpcServer.listen(new RpcAddress.Unix(directory.resolve("rpc.sock")), registry, RpcLog.NONE, threads);
    }

    @AfterEach
    void stop() throws IOException {
        slowCallsMayEnd.release(10_000);
        events.release(100_000);
        server.close();
        threads.close();
    }

    RpcClientSocket connect() throws IOException {
        return new RpcClientSocket(server.address());
    }

    static String version(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + VERSION_RESULT + "}";
    }

    static String request(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"spdk_get_version\",\"id\":" + id + "}";
    }

    static String call(String method, Object id) {
        return "{\"method\":\"" + method + "\",\"id\":" + id + "}";
    }

    static String result(Object id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    /// Returns once `connection`'s thread holds a request back: it waits, and not for bytes of the client's.
    static void awaitHeldBack(Thread connection) {
        while (Arrays.stream(connection.getStackTrace()).noneMatch(
                frame -> frame.getClassName().equals(Object.class.getName()) && frame.getMethodName().equals("wait"))) {
            Thread.onSpinWait(); // ends by the test's time limit if it never does
        }
    }

    void awaitNoConnection(RpcServer of) {
        while (of.connections() > 0) { // ends by the test's time limit if one is never forgotten
            Thread.onSpinWait();
        }
    }
}
