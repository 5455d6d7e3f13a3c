package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BdevRpcsTest {
    private final RpcRegistry rpcs = new RpcRegistry();
    private final List<LatencyHistogram.Spec> enabled = new ArrayList<>();

    BdevRpcsTest() {
        rpcs.register(BdevRpcs.ENABLE_HISTOGRAM, params -> enabled.add(params.spec()));
        rpcs.enter(RpcState.RUNTIME);
    }

    private void enable(String more) {
        rpcs.dispatch("bdev_enable_histogram", Json.parse("{\"name\": \"N\", \"enable\": true" + more + "}"));
    }

    /// The peer's default covers all of 64 bits: its histogram.py reads 58 ranges of 128.
    @Test
    void aHistogramOfDefaultsHasABucketForEveryLatency() {
        enable("");
        assertEquals(58 * 128, new LatencyHistogram(enabled.getFirst()).bytes().length / Long.BYTES);
    }

    @Test
    void refusesAHistogramThatWouldFillTheMemory() {
        RpcException refused = assertThrows(RpcException.class, () -> enable(", \"granularity\": 20"));
        assertEquals(RpcException.INVALID_PARAMS, refused.code());
        assertTrue(refused.getMessage().contains("granularity=20"), refused.getMessage());
        assertTrue(refused.getMessage().contains("1048576"), refused.getMessage());
        enable(", \"granularity\": 20, \"max_nsec\": 1000000");
        assertEquals(1 << 20, new LatencyHistogram(enabled.getFirst()).bytes().length / Long.BYTES);
    }
}
