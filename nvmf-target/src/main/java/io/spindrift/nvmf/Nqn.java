package io.spindrift.nvmf;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// NVMe qualified names (NVM Express Base 2.0, 4.5): `nqn.2014-08.org.example:disk1`, or a UUID's fixed form.
public final class Nqn {
    /// The name of every target's discovery service.
    public static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";
    /// The most bytes in UTF-8.
    public static final int MAX_BYTES = 223;

    private static final String UUID_PREFIX = "nqn.2014-08.org.nvmexpress:uuid:";
    /// With hyphens, or without: hosts older than the standard's text write the latter.
    private static final Pattern UUID_FORM = Pattern
            .compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|\\p{XDigit}{32}");
    private static final Pattern DATE = Pattern.compile("nqn\\.\\d{4}-\\d{2}\\..*", Pattern.DOTALL);
    private static final int DOMAIN_START = 12;
    /// RFC 1034, 3.1: letters, digits and hyphens, the first a letter and the last no hyphen.
    private static final Pattern LABEL = Pattern.compile("[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");

    private Nqn() {}

    /// Returns `value` if it is a qualified name; [IllegalArgumentException] says what is wrong with the parameter.
    public static String check(String parameter, String value) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw wrong(parameter, value, "it has " + bytes + " bytes; " + MAX_BYTES + " are allowed");
        }
        if (value.equals(DISCOVERY)) {
            return value;
        }
        if (value.startsWith(UUID_PREFIX)) {
            String uuid = value.substring(UUID_PREFIX.length());
            if (!UUID_FORM.matcher(uuid).matches()) {
                throw wrong(parameter, value, "'" + uuid + "' is no UUID: 32 hexadecimal digits in groups of "
                        + "8-4-4-4-12 are needed");
            }
            return value;
        }
        checkGeneralForm(parameter, value);
        return value;
    }

    private static void checkGeneralForm(String parameter, String value) {
        if (!value.startsWith("nqn.")) {
            throw wrong(parameter, value, "it must begin with 'nqn.'");
        }
        if (!DATE.matcher(value).matches()) {
            throw wrong(parameter, value, "a year and a month must follow 'nqn.', as in nqn.2014-08.org.example:name");
        }
        int colon = value.indexOf(':');
        if (colon < 0 || colon == value.length() - 1) {
            throw wrong(parameter, value, "a ':' and a name must follow the domain");
        }
        for (String label : value.substring(DOMAIN_START, Math.max(DOMAIN_START, colon)).split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                throw wrong(parameter, value, "'" + label + "' is no part of a domain name: 1 to 63 letters, digits "
                        + "and hyphens that begin with a letter and do not end in a hyphen");
            }
        }
    }

    private static IllegalArgumentException wrong(String parameter, String value, String reason) {
        String shown = value.length() > 2 * MAX_BYTES ? value.substring(0, 2 * MAX_BYTES) + "..." : value;
        return new IllegalArgumentException(parameter + "=" + shown + " is no NQN: " + reason);
    }
}
