package io.spindrift.nvmf;

import java.util.Optional;

/// The kind of a transport address (ADRFAM, NVMe over Fabrics 1.1, figure 14).
public enum AddressFamily {
    IPV4("IPv4", 1), IPV6("IPv6", 2), IB("IB", 3), FC("FC", 4);

    private final String text;
    private final int code;

    AddressFamily(String text, int code) {
        this.text = text;
        this.code = code;
    }

    /// As RPCs show it: `IPv4`.
    public String text() {
        return text;
    }

    /// The value on the wire.
    public int code() {
        return code;
    }

    /// The family of the literal `traddr` where none is named: only an address of IPv6 has colons.
    static AddressFamily of(String traddr) {
        return traddr.indexOf(':') < 0 ? IPV4 : IPV6;
    }

    /// The family with this name, in upper or lower case.
    static Optional<AddressFamily> find(String name) {
        for (AddressFamily family : values()) {
            if (family.text.equalsIgnoreCase(name)) {
                return Optional.of(family);
            }
        }
        return Optional.empty();
    }
}
