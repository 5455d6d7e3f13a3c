package io.spindrift.apps.bdevperf;

import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import java.util.List;

/// The method of bdevperf.
public final class BdevperfRpcs implements RpcCatalog {
    static final RpcMethod<PerformTestsParams> PERFORM_TESTS = RpcMethod
            .of("perform_tests", PerformTestsParams.class, RpcState.RUNTIME)
            .summary("Runs I/O on the bdevs of a bdevperf that was started with -z, and returns the figures.");

    /// For the service loader.
    public BdevperfRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(PERFORM_TESTS);
    }
}
