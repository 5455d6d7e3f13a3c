package io.spindrift.framework.memory;

import java.util.Objects;

/// Which device's or peer's view a region of memory belongs to; the data path compares it by identity or `equals`.
///
/// @param kind what sort of memory it is
/// @param name tells two domains of one kind apart: a device's name; shown to users
public record MemoryDomain(Kind kind, String name) {
    /// Ordinary memory of this machine: every region that [Memory] allocates.
    public static final MemoryDomain HOST = new MemoryDomain(Kind.HOST, "host");

    public MemoryDomain {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
    }

    /// What sort of memory a domain is.
    public enum Kind {
        /// Memory of this machine, of this process or shared with another (a guest).
        HOST,
        /// Memory that an RDMA device reaches under its own keys.
        RDMA,
        /// Memory on a device, such as an NVMe controller memory buffer.
        DEVICE
    }
}
