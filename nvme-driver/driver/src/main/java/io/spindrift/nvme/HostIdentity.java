package io.spindrift.nvme;

import io.spindrift.nvme.spec.Nqn;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/// Who a host says that it is when it connects over Fabrics (base specification 2.0, 6.3).
///
/// @param nqn     its qualified name, up to 223 bytes
/// @param id      its identifier: controllers of hosts with the same one are one host's for reservations
/// @param address the address that connections come from; the kernel's choice if none is given
/// @param service the port that they come from, likewise
public record HostIdentity(String nqn, UUID id, Optional<String> address, Optional<String> service) {
    public HostIdentity {
        int bytes = nqn.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > Nqn.MAX_BYTES) {
            throw new IllegalArgumentException("hostnqn=" + nqn + " has " + bytes + " bytes; 1 to " + Nqn.MAX_BYTES
                    + " are allowed");
        }
    }

    /// A host with this UUID, and the name that is made of it.
    public static HostIdentity of(UUID id) {
        return new HostIdentity(Nqn.of(id), id, Optional.empty(), Optional.empty());
    }

    /// The same host under another name.
    public HostIdentity withNqn(String other) {
        return new HostIdentity(other, id, address, service);
    }

    /// The same host, connecting from there.
    public HostIdentity from(Optional<String> otherAddress, Optional<String> otherService) {
        return new HostIdentity(nqn, id, otherAddress, otherService);
    }
}
