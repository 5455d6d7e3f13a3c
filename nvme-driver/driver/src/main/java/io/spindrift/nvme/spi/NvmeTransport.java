package io.spindrift.nvme.spi;

import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.TransportId;
import java.util.List;
import java.util.Map;

/// A way to reach controllers, one for each [io.spindrift.nvme.NvmeDriver]. On the control path.
public interface NvmeTransport extends AutoCloseable {
    /// As in a [TransportId]: `TCP`.
    String name();

    /// The transport's side of `controller`, which is at `id`; not connected.
    ///
    /// @throws IllegalArgumentException naming the part of `id` or of the options that cannot be
    TransportController open(NvmeController controller, TransportId id, ControllerOptions options) throws Exception;

    /// The controllers that are there to be used, where the transport can see them.
    default List<TransportId> enumerate() {
        return List.of();
    }

    /// What it has counted, by thread: for `bdev_nvme_get_transport_statistics`.
    default List<Map<String, Object>> statistics() {
        return List.of();
    }

    /// All controllers are closed: frees what they shared.
    @Override
    void close();
}
