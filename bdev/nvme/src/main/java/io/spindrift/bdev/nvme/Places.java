package io.spindrift.bdev.nvme;

import io.spindrift.nvme.TransportId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Where a controller may be reached, one place at least: it is connected to the first, or was. Any thread.
final class Places {
    /// Replaced by whoever has the monitor.
    private volatile List<TransportId> ids;

    Places(TransportId first) {
        this.ids = List.of(first);
    }

    List<TransportId> all() {
        return ids;
    }

    synchronized void add(TransportId id) {
        List<TransportId> more = new ArrayList<>(ids);
        more.add(id);
        ids = List.copyOf(more);
    }

    /// Does nothing if it is the only one.
    synchronized void remove(TransportId id) {
        List<TransportId> fewer = new ArrayList<>(ids);
        fewer.remove(id);
        if (!fewer.isEmpty()) {
            ids = List.copyOf(fewer);
        }
    }

    /// The next one is first, and what was first is last.
    synchronized void rotate() {
        List<TransportId> order = new ArrayList<>(ids);
        Collections.rotate(order, -1);
        ids = List.copyOf(order);
    }
}
