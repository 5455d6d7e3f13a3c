package io.spindrift.framework.memory;

import java.lang.foreign.MemorySegment;

/// A buffer of one of the two pools: owned by who got it, until released.
///
/// Its contents are whatever its last user left.
public final class Buffer {
    private final MemoryRegion region;
    private final MemorySegment segment;
    private final long regionOffset;

    Buffer(MemoryRegion region, long regionOffset, long capacity) {
        this.region = region;
        this.regionOffset = regionOffset;
        this.segment = region.segment().asSlice(regionOffset, capacity);
    }

    public MemoryRegion region() {
        return region;
    }

    /// The buffer's own bytes and no others; offset 0 is its first.
    public MemorySegment segment() {
        return segment;
    }

    /// Where the buffer starts in its region, for what a consumer keeps by region (an IOVA).
    public long regionOffset() {
        return regionOffset;
    }

    /// How many bytes fit.
    public long capacity() {
        return segment.byteSize();
    }

    /// The address of the first byte, a multiple of 4096.
    public long address() {
        return segment.address();
    }
}
