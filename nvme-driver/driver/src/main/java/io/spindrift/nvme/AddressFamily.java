package io.spindrift.nvme;

import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import java.util.Optional;

/// The kind of a transport address (ADRFAM, base specification 2.0, 5.16.1, figure 265).
public enum AddressFamily {
    IPV4("IPv4", DiscoveryEntry.ADRFAM_IPV4), IPV6("IPv6", DiscoveryEntry.ADRFAM_IPV6), IB("IB",
            DiscoveryEntry.ADRFAM_IB),
    FC("FC",
            DiscoveryEntry.ADRFAM_FC),
    INTRA_HOST("Intra_Host", DiscoveryEntry.ADRFAM_INTRA_HOST);

    private final String text;
    private final int code;

    AddressFamily(String text, int code) {
        this.text = text;
        this.code = code;
    }

    /// As RPCs and reports show it: `IPv4`.
    public String text() {
        return text;
    }

    /// The value on the wire.
    public int code() {
        return code;
    }

    /// The family with this name, in upper or lower case.
    public static Optional<AddressFamily> find(String name) {
        for (AddressFamily family : values()) {
            if (family.text.equalsIgnoreCase(name)) {
                return Optional.of(family);
            }
        }
        return Optional.empty();
    }

    /// The family with this value on the wire.
    public static Optional<AddressFamily> ofCode(int code) {
        for (AddressFamily family : values()) {
            if (family.code == code) {
                return Optional.of(family);
            }
        }
        return Optional.empty();
    }
}
