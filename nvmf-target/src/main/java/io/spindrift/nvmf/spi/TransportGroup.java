package io.spindrift.nvmf.spi;

import java.util.Map;

/// A transport's part on one poll group: its connections there. The poll group's thread calls and owns it.
public interface TransportGroup {
    /// What `nvmf_get_stats` shows of it besides the transport's name.
    default Map<String, Object> statistics() {
        return Map.of();
    }

    /// The transport goes away; there are no queue pairs left.
    void close();
}
