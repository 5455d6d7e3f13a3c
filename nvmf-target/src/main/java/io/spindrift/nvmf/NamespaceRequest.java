package io.spindrift.nvmf;

import io.spindrift.framework.Check;
import io.spindrift.nvme.spec.Nsid;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/// What a namespace is asked to be.
///
/// @param bdevName        the device behind it
/// @param nsid            its number; the lowest free one if none is given
/// @param nguid           32 hexadecimal digits; derived from the UUID if none are given
/// @param eui64           16 hexadecimal digits
/// @param uuid            the device's if none is given
/// @param ptplFile        where its reservations are kept through power loss
/// @param anaGroup        its ANA group; its NSID if none is given
/// @param autoVisible     whether every host sees it
public record NamespaceRequest(String bdevName, OptionalLong nsid, Optional<String> nguid, Optional<String> eui64,
        Optional<UUID> uuid, Optional<String> ptplFile, OptionalLong anaGroup, boolean autoVisible) {
    public NamespaceRequest {
        if (nsid.isPresent()) {
            Check.range("nsid", nsid.getAsLong(), 1, Nsid.MAX);
        }
        if (anaGroup.isPresent()) {
            Check.range("anagrpid", anaGroup.getAsLong(), 1, Nsid.MAX);
        }
    }

    /// A namespace on `bdevName`, with everything else left to the subsystem.
    public static NamespaceRequest of(String bdevName) {
        return new NamespaceRequest(bdevName, OptionalLong.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), OptionalLong.empty(), true);
    }

    /// The same with this number.
    public NamespaceRequest withNsid(long number) {
        return new NamespaceRequest(bdevName, OptionalLong.of(number), nguid, eui64, uuid, ptplFile, anaGroup,
                autoVisible);
    }
}
