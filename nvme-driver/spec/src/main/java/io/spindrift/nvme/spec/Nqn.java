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

    /// Bytes of a label of a domain (RFC 1034, 3.1).
    private static final int MAX_LABEL = 63;

    private static final Pattern UUID_TEXT = Pattern
            .compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|\\p{XDigit}{32}");
    private static final Pattern DATE = Pattern.compile("nqn\\.\\d{4}-\\d{2}\\..*", Pattern.DOTALL);
    private static final int DOMAIN = "nqn.2014-08.".length();
    private static final Pattern LABEL = Pattern.compile("[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?");

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
        int bytes = nqn.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            return problem(nqn, "has " + bytes + " bytes, the limit is " + MAX_BYTES);
        }
        if (!nqn.startsWith("nqn.")) {
            return problem(nqn, "does not begin with \"nqn.\"");
        }
        if (nqn.startsWith(UUID_PREFIX)) {
            return UUID_TEXT.matcher(nqn.substring(UUID_PREFIX.length())).matches()
                    ? Optional.empty()
                    : problem(nqn, "has no UUID after \"uuid:\"");
        }
        return isDiscovery(nqn) ? Optional.empty() : domainProblem(nqn);
    }

    private static Optional<String> domainProblem(String nqn) {
        if (!DATE.matcher(nqn).matches()) {
            return problem(nqn, "has no date yyyy-mm and dot after \"nqn.\"");
        }
        int colon = nqn.indexOf(':');
        if (colon < 0 || colon == nqn.length() - 1) {
            return problem(nqn, "has no colon with a name after it");
        }
        for (String label : nqn.substring(DOMAIN, colon).split("\\.", -1)) {
            if (label.length() > MAX_LABEL) {
                return problem(nqn, "has a domain label of " + label.length() + " bytes, the limit is " + MAX_LABEL);
            }
            if (!LABEL.matcher(label).matches()) {
                return problem(nqn, "has the domain label \"" + label
                        + "\"; one has letters, digits and hyphens, begins with a letter and ends with no hyphen");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> problem(String nqn, String what) {
        return Optional.of("NQN \"" + nqn + "\" " + what);
    }
}
