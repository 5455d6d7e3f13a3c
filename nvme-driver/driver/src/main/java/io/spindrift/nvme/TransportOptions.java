package io.spindrift.nvme;

import io.spindrift.framework.Check;

/// What all controllers of a transport share; [NvmeDriver#transportOptions(TransportOptions)] sets it for those that are
/// connected from then on.
///
/// @param rdmaSrqSize              entries of a shared receive queue of RDMA; 0 for a queue for each queue pair
/// @param rdmaMaxCqSize            the most entries of a completion queue of RDMA; 0 for what the device can
/// @param rdmaCmEventTimeoutMillis how long RDMA waits for an event of its connection manager
public record TransportOptions(int rdmaSrqSize, int rdmaMaxCqSize, int rdmaCmEventTimeoutMillis) {
    public static final TransportOptions DEFAULT = new TransportOptions(0, 0, 1000);

    public TransportOptions {
        Check.range("rdma_srq_size", rdmaSrqSize, 0, 65536);
        Check.range("rdma_max_cq_size", rdmaMaxCqSize, 0, 1 << 24);
        Check.range("rdma_cm_event_timeout_ms", rdmaCmEventTimeoutMillis, 0, 65535);
    }

    public TransportOptions withRdmaSrqSize(int size) {
        return new TransportOptions(size, rdmaMaxCqSize, rdmaCmEventTimeoutMillis);
    }

    public TransportOptions withRdmaMaxCqSize(int size) {
        return new TransportOptions(rdmaSrqSize, size, rdmaCmEventTimeoutMillis);
    }

    public TransportOptions withRdmaCmEventTimeout(int millis) {
        return new TransportOptions(rdmaSrqSize, rdmaMaxCqSize, millis);
    }
}
