package io.spindrift.apps.nvme;

import io.spindrift.framework.app.FlagValues;
import io.spindrift.nvme.HostIdentity;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.Nsid;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// What `-r` names: where controllers are, as whom to connect, and which namespace is meant.
///
/// @param id       where; that of discovery means all subsystems that it knows; nothing for all local PCIe controllers
/// @param hostnqn  `hostnqn:`
/// @param hostaddr `hostaddr:`, the address that connections come from
/// @param nsid     `ns:`, the only namespace to use
public record Target(Optional<TransportId> id, Optional<String> hostnqn, Optional<String> hostaddr, OptionalLong nsid) {
    /// All local PCIe controllers.
    public static final Target LOCAL = new Target(Optional.empty(), Optional.empty(), Optional.empty(),
            OptionalLong.empty());

    /// Reads `key:value` pairs: those of a [TransportId], and `hostnqn`, `hostaddr` and `ns`.
    ///
    /// @throws IllegalArgumentException naming the key that is unknown, missing or wrong
    public static Target parse(String text) {
        Map<String, String> pairs = TransportId.pairs(text);
        Optional<String> hostnqn = Optional.ofNullable(pairs.remove("hostnqn"));
        Optional<String> hostaddr = Optional.ofNullable(pairs.remove("hostaddr"));
        Optional<String> ns = Optional.ofNullable(pairs.remove("ns"));
        hostnqn.ifPresent(nqn -> HostIdentity.of(new java.util.UUID(0, 1)).withNqn(nqn)); // refuses a wrong one
        OptionalLong nsid = ns.map(Target::nsid).map(OptionalLong::of).orElseGet(OptionalLong::empty);
        boolean everyLocal = TransportId.PCIE.equalsIgnoreCase(pairs.getOrDefault("trtype", TransportId.PCIE))
                && !pairs.containsKey("traddr");
        if (everyLocal) {
            pairs.remove("trtype");
        }
        Optional<TransportId> id = everyLocal ? Optional.empty() : Optional.of(TransportId.take(pairs));
        if (!pairs.isEmpty()) {
            throw new IllegalArgumentException(pairs.keySet().iterator().next()
                    + " is no key; there are trtype, adrfam, traddr, trsvcid, subnqn, hostnqn, hostaddr, ns");
        }
        return new Target(id, hostnqn, hostaddr, nsid);
    }

    private static long nsid(String text) {
        try {
            return FlagValues.number(text, 1, Nsid.MAX);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("ns:" + text + ": " + e.getMessage());
        }
    }

    /// `host` as this says that it is to be.
    HostIdentity host(HostIdentity host) {
        HostIdentity named = hostnqn.map(host::withNqn).orElse(host);
        return hostaddr.isPresent() ? named.from(hostaddr, Optional.empty()) : named;
    }
}
