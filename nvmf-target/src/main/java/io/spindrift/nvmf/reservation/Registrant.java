package io.spindrift.nvmf.reservation;

import java.util.UUID;

/// A host that has registered.
///
/// @param hostId its host identifier
/// @param key    its reservation key, unsigned, not 0
public record Registrant(UUID hostId, long key) {
    public Registrant {
        if (key == 0) {
            throw new IllegalArgumentException("the reservation key of host " + hostId
                    + " is 0, which stands for no key");
        }
    }
}
