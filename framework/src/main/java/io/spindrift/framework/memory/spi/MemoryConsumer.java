package io.spindrift.framework.memory.spi;

import io.spindrift.framework.memory.MemoryRegion;

/// Something that must know every region before a device may reach it: an IOMMU container, an RDMA protection domain.
///
/// Control path only, and one call at a time: [io.spindrift.framework.memory.Memory] holds its lock around each, so
/// that a consumer sees each region exactly once, whether the region or the consumer came first. A consumer must not
/// call back into that `Memory`; what blocks (an ioctl) is its own to move off a virtual thread.
public interface MemoryConsumer {
    /// The value of a region that this consumer does not map.
    long NOT_MAPPED = -1L;

    /// For messages and statistics: `vfio`, `rdma mlx5_0`.
    String name();

    /// Makes `region` reachable for the device.
    ///
    /// @return the value that [MemoryRegion#value] gives for this consumer, such as the IOVA of the region's first
    ///         byte or an lkey; [#NOT_MAPPED] if the region's domain or kind is not this consumer's concern
    /// @throws Exception the region (or the consumer being added) is then refused, with this as the cause
    long map(MemoryRegion region) throws Exception;

    /// Undoes [#map]; called once for each region that was mapped, after the region's I/O has drained.
    ///
    /// @param value what `map` returned
    void unmap(MemoryRegion region, long value);
}
