package io.spindrift.nvmf;

/// What has gone through a poll group, for `nvmf_get_stats`. Its thread's alone.
public final class PollGroupCounters {
    /// Admin queue pairs since the start.
    public int adminQueuePairs;
    /// I/O queue pairs since the start.
    public int ioQueuePairs;
    /// Admin queue pairs now.
    public int currentAdminQueuePairs;
    /// I/O queue pairs now.
    public int currentIoQueuePairs;
    /// Connections now that have sent no Connect yet.
    public int currentUnassociatedQueuePairs;
    /// Commands that wait for room in a device.
    public long pendingBdevIo;
    /// Commands that have ended.
    public long completedNvmeIo;

    PollGroupCounters() {}
}
