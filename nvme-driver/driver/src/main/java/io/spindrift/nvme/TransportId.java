package io.spindrift.nvme;

import io.spindrift.nvme.spec.Nqn;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where a controller is reached: `trtype:TCP adrfam:IPv4 traddr:192.0.2.1 trsvcid:4420 subnqn:nqn...`, or
/// `trtype:PCIe traddr:0000:04:00.0`.
///
/// Two are equal if they differ in upper and lower case only.
///
/// @param trtype  the transport: `PCIe`, `TCP`, `RDMA`, or another in upper case
/// @param adrfam  the kind of `traddr`; none for PCIe
/// @param traddr  the address, 1 to 256 bytes
/// @param trsvcid the port, up to 32 bytes; empty where the transport has none
/// @param subnqn  the subsystem's qualified name, that of discovery, or empty for PCIe
public record TransportId(String trtype, Optional<AddressFamily> adrfam, String traddr, String trsvcid, String subnqn) {
    public static final String PCIE = "PCIe";
    public static final String TCP = "TCP";
    public static final String RDMA = "RDMA";

    private static final int MAX_TRTYPE = 32;
    private static final int MAX_TRADDR = 256;
    private static final int MAX_TRSVCID = 32;
    private static final String KEYS = "trtype, adrfam, traddr, trsvcid, subnqn, priority";

    public TransportId {
        trtype = trtype.equalsIgnoreCase(PCIE) ? PCIE : trtype.toUpperCase(Locale.ROOT);
        checkLength("trtype", trtype, 1, MAX_TRTYPE);
        checkLength("traddr", traddr, 1, MAX_TRADDR);
        checkLength("trsvcid", trsvcid, 0, MAX_TRSVCID);
        checkLength("subnqn", subnqn, 0, Nqn.MAX_BYTES); // targets with names of no valid form exist: it is theirs to refuse
        if (adrfam.isEmpty() && !trtype.equals(PCIE)) {
            adrfam = inferred(traddr);
        }
    }

    /// A TCP address, its family inferred; `subnqn` may be that of discovery.
    public static TransportId tcp(String traddr, String trsvcid, String subnqn) {
        return new TransportId(TCP, Optional.empty(), traddr, trsvcid, subnqn);
    }

    /// A PCI address: `0000:04:00.0`.
    public static TransportId pcie(String traddr) {
        return new TransportId(PCIE, Optional.empty(), traddr, "", "");
    }

    /// Reads `key:value` pairs separated by white space; `key=value` is taken, too. Without `trtype` it is PCIe, without
    /// `subnqn` the discovery subsystem (for Fabrics).
    ///
    /// @throws IllegalArgumentException naming the key that is unknown, missing or wrong
    public static TransportId parse(String text) {
        Map<String, String> pairs = pairs(text);
        TransportId id = take(pairs);
        if (!pairs.isEmpty()) {
            String key = pairs.keySet().iterator().next();
            throw new IllegalArgumentException("transport ID '" + text + "': " + key + " is no key; there are " + KEYS);
        }
        return id;
    }

    /// The `key:value` pairs of `text`, keys in lower case, for programs that have keys of their own beside those of
    /// [#take].
    public static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String word : text.strip().split("\\s+")) {
            int colon = firstOf(word, ':', '=');
            if (colon <= 0 || colon == word.length() - 1) {
                throw new IllegalArgumentException("transport ID '" + text + "': '" + word + "' is not key:value");
            }
            pairs.put(word.substring(0, colon).toLowerCase(Locale.ROOT), word.substring(colon + 1));
        }
        return pairs;
    }

    private static int firstOf(String word, char one, char other) {
        int a = word.indexOf(one);
        int b = word.indexOf(other);
        return a < 0 || b >= 0 && b < a ? b : a;
    }

    /// Makes an ID of the keys that are its own, and removes them from `pairs`.
    public static TransportId take(Map<String, String> pairs) {
        String trtype = Optional.ofNullable(pairs.remove("trtype")).orElse(PCIE);
        Optional<AddressFamily> adrfam = Optional.ofNullable(pairs.remove("adrfam")).map(TransportId::family);
        String traddr = Optional.ofNullable(pairs.remove("traddr"))
                .orElseThrow(() -> new IllegalArgumentException("transport ID: traddr is missing"));
        String trsvcid = Optional.ofNullable(pairs.remove("trsvcid")).orElse("");
        boolean pcie = trtype.equalsIgnoreCase(PCIE);
        String subnqn = Optional.ofNullable(pairs.remove("subnqn")).orElse(pcie ? "" : Nqn.DISCOVERY);
        pairs.remove("priority");
        return new TransportId(trtype, adrfam, traddr, trsvcid, subnqn);
    }

    /// The family with this name; [IllegalArgumentException] if there is none.
    public static AddressFamily family(String name) {
        return AddressFamily.find(name).orElseThrow(() -> new IllegalArgumentException(
                "adrfam=" + name + " is no address family; there are IPv4, IPv6, IB and FC"));
    }

    /// The same place, another subsystem.
    public TransportId withSubnqn(String other) {
        return new TransportId(trtype, adrfam, traddr, trsvcid, other);
    }

    /// Whether it names the discovery subsystem.
    public boolean isDiscovery() {
        return subnqn.equals(Nqn.DISCOVERY);
    }

    public boolean isPcie() {
        return trtype.equals(PCIE);
    }

    private static Optional<AddressFamily> inferred(String traddr) {
        return Optional.of(traddr.indexOf(':') >= 0 ? AddressFamily.IPV6 : AddressFamily.IPV4);
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
        return object instanceof TransportId other && trtype.equals(other.trtype) && adrfam.equals(other.adrfam)
                && traddr.equalsIgnoreCase(other.traddr) && trsvcid.equalsIgnoreCase(other.trsvcid)
                && subnqn.equals(other.subnqn);
    }

    @Override
    public int hashCode() {
        return (traddr + trsvcid).toLowerCase(Locale.ROOT).hashCode() * 31 + subnqn.hashCode();
    }

    /// In the form that [#parse] reads.
    @Override
    public String toString() {
        return "trtype:" + trtype + adrfam.map(family -> " adrfam:" + family.text()).orElse("") + " traddr:" + traddr
                + (trsvcid.isEmpty() ? "" : " trsvcid:" + trsvcid) + (subnqn.isEmpty() ? "" : " subnqn:" + subnqn);
    }
}
