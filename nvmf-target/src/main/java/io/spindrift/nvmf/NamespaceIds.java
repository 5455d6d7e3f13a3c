package io.spindrift.nvmf;

import io.spindrift.bdev.Bdev;
import io.spindrift.nvme.spec.Eui64;
import io.spindrift.nvme.spec.Nguid;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// By what hosts know a namespace again (NVM Express Base 2.0, figure 268).
///
/// @param nguid 32 hexadecimal digits in upper case, most significant first
/// @param eui64 16 of them, if it has one
/// @param uuid  its UUID
public record NamespaceIds(String nguid, Optional<String> eui64, UUID uuid) {
    public NamespaceIds {
        nguid = Nguid.parse(nguid).toString().toUpperCase(Locale.ROOT);
        eui64 = eui64.map(digits -> Eui64.parse(digits).toString().toUpperCase(Locale.ROOT));
    }

    /// Those that are given; else the device's UUID, and an NGUID that follows from the UUID. A UUID that is given makes both
    /// the same after a restart, whatever UUID the device has then: a host that finds another NGUID gives the disk up.
    static NamespaceIds of(NamespaceRequest request, Bdev bdev) {
        UUID uuid = request.uuid().orElse(bdev.uuid());
        return new NamespaceIds(request.nguid().orElseGet(() -> uuid.toString().replace("-", "")), request.eui64(),
                uuid);
    }

    /// [IllegalArgumentException] if one of these is one of `other`, the namespace `nsid`'s.
    void refuseSame(NamespaceIds other, long nsid) {
        refuse("nguid", nguid, other.nguid, nsid);
        if (eui64.isPresent() && other.eui64.isPresent()) {
            refuse("eui64", eui64.get(), other.eui64.get(), nsid);
        }
        refuse("uuid", uuid.toString(), other.uuid.toString(), nsid);
    }

    private static void refuse(String name, String value, String others, long nsid) {
        if (value.equals(others)) {
            throw new IllegalArgumentException(name + "=" + value + " is that of the namespace " + nsid
                    + " of this subsystem");
        }
    }
}
