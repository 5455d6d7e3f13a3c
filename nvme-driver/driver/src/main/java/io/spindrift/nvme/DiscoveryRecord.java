package io.spindrift.nvme;

import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.Trtype;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// What a discovery controller says of one way to a subsystem, or to another discovery service.
///
/// @param entry the record as it came, 1,024 bytes, laid out as [DiscoveryEntry]; to be read only
public record DiscoveryRecord(MemorySegment entry) {
    public DiscoveryRecord {
        if (entry.byteSize() != DiscoveryEntry.SIZE) {
            throw new IllegalArgumentException(
                    "entry=" + entry.byteSize() + " bytes; a record has " + DiscoveryEntry.SIZE);
        }
    }

    /// A subtype of [DiscoveryEntry]: a subsystem, a referral, the service itself.
    public int subtype() {
        return DiscoveryEntry.SUBTYPE.get(entry, 0);
    }

    /// A transport type of [Trtype].
    public int trtype() {
        return DiscoveryEntry.TRTYPE.get(entry, 0);
    }

    public String subnqn() {
        return DiscoveryEntry.SUBNQN.get(entry, 0);
    }

    public String traddr() {
        return DiscoveryEntry.TRADDR.get(entry, 0).strip();
    }

    public String trsvcid() {
        return DiscoveryEntry.TRSVCID.get(entry, 0).strip();
    }

    /// Where it is; nothing if its transport has no name here or its address is none.
    public Optional<TransportId> transportId() {
        Optional<String> name = switch (trtype()) {
            case Trtype.RDMA -> Optional.of(TransportId.RDMA);
            case Trtype.FC -> Optional.of("FC");
            case Trtype.TCP -> Optional.of(TransportId.TCP);
            default -> Optional.empty();
        };
        Optional<AddressFamily> family = AddressFamily.ofCode(DiscoveryEntry.ADRFAM.get(entry, 0));
        if (traddr().isEmpty() || subnqn().isEmpty()) {
            return Optional.empty();
        }
        try {
            return name.map(trtype -> new TransportId(trtype, family, traddr(), trsvcid(), subnqn()));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // text that is no UTF-8 may become longer than its field
        }
    }
}
