package io.spindrift.framework.uring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Collects what a ring completes, for tests.
final class Completions implements CompletionHandler {
    final List<Long> order = new ArrayList<>();
    private final Map<Long, Integer> results = new HashMap<>();

    @Override
    public void complete(long userData, int result, int flags) {
        order.add(userData);
        results.put(userData, result);
    }

    /// Waits until every request of `ring` has ended.
    Completions drain(IoUring ring) {
        while (ring.inFlight() > 0) {
            ring.await(this, 1, Integer.MAX_VALUE);
        }
        return this;
    }

    int result(long userData) {
        assertTrue(results.containsKey(userData), () -> "no completion of " + userData + " in " + results);
        return results.get(userData);
    }
}
