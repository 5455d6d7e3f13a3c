package io.spindrift.nvmf;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// Where a subsystem listens, or where a referral points to.
///
/// Two addresses are equal if they differ in upper and lower case only.
///
/// @param trtype  the transport, in upper case: `TCP`
/// @param adrfam  the kind of `traddr`
/// @param traddr  the address: `127.0.0.1`, `::`
/// @param trsvcid the port; empty where the transport has none
public record TransportAddress(String trtype, AddressFamily adrfam, String traddr, String trsvcid) {
    /// Bytes of TRADDR in a discovery log entry (NVMe over Fabrics 1.1, 5.4).
    private static final int MAX_TRADDR = 256;
    /// Bytes of TRSVCID there.
    private static final int MAX_TRSVCID = 32;
    /// Bytes of a transport's name, as the peer has it.
    private static final int MAX_TRTYPE = 32;

    public TransportAddress {
        trtype = trtype.toUpperCase(Locale.ROOT);
        checkLength("trtype", trtype, 1, MAX_TRTYPE);
        checkLength("traddr", traddr, 1, MAX_TRADDR);
        checkLength("trsvcid", trsvcid, 0, MAX_TRSVCID);
    }

    /// The address that an RPC's parameters mean. [IllegalArgumentException] says which of them cannot be.
    public static TransportAddress parse(String trtype, Optional<String> adrfam, String traddr,
            Optional<String> trsvcid) {
        AddressFamily family = adrfam
                .map(name -> AddressFamily.find(name).orElseThrow(() -> new IllegalArgumentException(
                        "adrfam=" + name + " is no address family; there are IPv4, IPv6, IB and FC")))
                .orElseGet(() -> AddressFamily.of(traddr));
        return new TransportAddress(trtype, family, traddr, trsvcid.orElse(""));
    }

    private static void checkLength(String name, String value, int min, int max) {
        int length = value.getBytes(StandardCharsets.UTF_8).length;
        if (length < min || length > max) {
            throw new IllegalArgumentException(name + "=" + value + " has " + length + " bytes; " + min + " to " + max
                    + " are allowed");
        }
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof TransportAddress other && trtype.equals(other.trtype) && adrfam == other.adrfam
                && traddr.equalsIgnoreCase(other.traddr) && trsvcid.equalsIgnoreCase(other.trsvcid);
    }

    @Override
    public int hashCode() {
        return (traddr + trsvcid).toLowerCase(Locale.ROOT).hashCode();
    }

    @Override
    public String toString() {
        return trtype + " " + adrfam.text() + " " + traddr + (trsvcid.isEmpty() ? "" : " " + trsvcid);
    }
}
