package io.spindrift.nvmf;

import java.util.List;
import java.util.Map;

/// The counters of a poll group at one time: see [PollGroupCounters].
public record PollGroupReport(String name, int adminQueuePairs, int ioQueuePairs, int currentAdminQueuePairs,
        int currentIoQueuePairs, int currentUnassociatedQueuePairs, long pendingBdevIo, long completedNvmeIo,
        List<TransportReport> transports) {
    /// A transport's own counters there, by their names.
    public record TransportReport(String trtype, Map<String, Object> statistics) {}
}
