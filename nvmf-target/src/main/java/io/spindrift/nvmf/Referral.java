package io.spindrift.nvmf;

import io.spindrift.nvme.spec.Nqn;

/// Another discovery service, or another target's subsystem, that this target's discovery log points to.
///
/// @param address       where it is
/// @param secureChannel whether it wants TLS
/// @param subnqn        its NQN
public record Referral(TransportAddress address, boolean secureChannel, String subnqn) {
    public Referral {
        Nqn.check("subnqn", subnqn);
    }

    /// Whether it points to the same place.
    boolean sameAs(TransportAddress other, String otherNqn) {
        return address.equals(other) && subnqn.equals(otherNqn);
    }
}
