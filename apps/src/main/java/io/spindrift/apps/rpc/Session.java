package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcAddress;
import io.spindrift.framework.rpc.RpcClient;
import io.spindrift.framework.rpc.RpcException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/// The connection to the application, made for the first call. One thread.
final class Session implements Calls, AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final GlobalOptions options;
    private final PrintStream err;
    private Optional<RpcClient> client = Optional.empty();

    /// With `-v`, requests and answers are printed to `err`.
    Session(GlobalOptions options, PrintStream err) {
        this.options = options;
        this.err = err;
    }

    @Override
    public JsonNode call(String method, JsonNode params) throws CallException, IOException {
        if (client.isEmpty()) {
            client = Optional.of(connect());
        }
        if (options.verbose()) {
            err.println("request: " + Json.indented(CallException.request(method, params), 2));
        }
        try {
            JsonNode result = client.get().call(method, params);
            if (options.verbose()) {
                err.println("result: " + Json.indented(result, 2));
            }
            return result;
        } catch (RpcException e) {
            throw new CallException(method, params, e);
        }
    }

    private RpcClient connect() throws IOException {
        RpcAddress address = options.address();
        for (int left = options.retries();; left--) {
            try {
                return RpcClient.connect(address, options.timeout());
            } catch (IOException e) {
                if (left <= 0) {
                    throw new IOException("cannot connect to " + address + ": " + e.getMessage()
                            + "; is the application running, and does its -r say the same?", e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (client.isPresent()) {
            client.get().close();
        }
    }
}
