package io.spindrift.nvme.spec;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// NVMe Qualified Names: which ones are valid (base specification 2.0, "NVMe Qualified Names").
///
/// There are two forms, and the name of the discovery service, which is neither:
/// - `nqn.yyyy-mm.reverse.domain:string`
/// - `nqn.2014-08.org.nvmexpress:uuid:UUID`, where old hosts write the UUID as 32 hexadecimal digits without hyphens
public final class Nqn {
    /// Bytes in UTF-8, without the NUL.
    public static final int MAX_BYTES = 223;
    /// Bytes of the field that holds one, padded with NULs.
    public static final int FIELD_SIZE = 256;

    /// The well-known name of every discovery service.
    public static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";
    public static final String UUID_PREFIX = "nqn.2014-08.org.nvmexpress:uuid:";

    private static final Pattern UUID_TEXT = Pattern
            .compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|\\p{XDigit}{32}");
    private static final Pattern DATE = Pattern.compile("nqn\\.\\d{4}-\\d{2}\\..*", Pattern.DOTALL);
    private static final int DOMAIN = "nqn.2014-08.".length();
    /// RFC 1034, 3.1.
    private static final Pattern LABEL = Pattern.compile("[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");

    private Nqn() {}

    public static boolean isValid(String nqn) {
        return problem(nqn).isEmpty();
    }

    public static boolean isDiscovery(String nqn) {
        return nqn.equals(DISCOVERY);
    }

    /// The name that a host or subsystem with this UUID has.
    public static String of(UUID uuid) {
        return UUID_PREFIX + uuid;
    }

    /// What is wrong with a name, as a sentence that names it; empty if it is valid.
    public static Optional<String> problem(String nqn) {
        return reason(nqn).map(reason -> "NQN \"" + nqn + "\" " + reason);
    }

    /// Returns `value` if it is valid; else [IllegalArgumentException] says what is wrong with this value of `parameter`.
    public static String check(String parameter, String value) {
        reason(value).ifPresent(reason -> {
            String shown = value.length() > 2 * MAX_BYTES ? value.substring(0, 2 * MAX_BYTES) + "..." : value;
            throw new IllegalArgumentException(parameter + "=" + shown + " is no NQN: it " + reason);
        });
        return value;
    }

    private static Optional<String> reason(String nqn) {
        int bytes = nqn.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            return Optional.of("has " + bytes + " bytes; " + MAX_BYTES + " are allowed");
        }
        if (!nqn.startsWith("nqn.")) {
            return Optional.of("must begin with 'nqn.'");
        }
        if (nqn.startsWith(UUID_PREFIX)) {
            String uuid = nqn.substring(UUID_PREFIX.length());
            return UUID_TEXT.matcher(uuid).matches()
                    ? Optional.empty()
                    : Optional.of("ends in '" + uuid + "', which is no UUID: 32 hexadecimal digits in groups of "
                            + "8-4-4-4-12 are needed");
        }
        return isDiscovery(nqn) ? Optional.empty() : domainReason(nqn);
    }

    private static Optional<String> domainReason(String nqn) {
        if (!DATE.matcher(nqn).matches()) {
            return Optional.of("must have a year and a month after 'nqn.', as in nqn.2014-08.org.example:name");
        }
        int colon = nqn.indexOf(':');
        if (colon < 0 || colon == nqn.length() - 1) {
            return Optional.of("must have a ':' and a name after the domain");
        }
        for (String label : nqn.substring(DOMAIN, Math.max(DOMAIN, colon)).split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                return Optional.of("has '" + label + "' in its domain; a part of one has 1 to 63 letters, digits and "
                        + "hyphens, begins with a letter and does not end in a hyphen");
            }
        }
        return Optional.empty();
    }
}
