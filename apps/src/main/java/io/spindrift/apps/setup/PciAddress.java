package io.spindrift.apps.setup;

import java.util.Locale;
import java.util.regex.Pattern;

/// The address of a PCI function as sysfs writes it: domain, bus, device and function, `0000:01:00.0`.
record PciAddress(String text) implements Comparable<PciAddress> {
    // A domain of more than 16 bits is one that a driver has made up, as vmd does for the disks behind it.
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\\.[0-7]");
    private static final Pattern WITHOUT_DOMAIN = Pattern.compile("[0-9a-f]{2}:[01][0-9a-f]\\.[0-7]");

    PciAddress {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no PCI address: they are written as 0000:01:00.0");
        }
    }

    /// Reads an address, which may be without its domain (`01:00.0`: that of domain 0). [IllegalArgumentException] if `text`
    /// is none.
    static PciAddress parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return new PciAddress(WITHOUT_DOMAIN.matcher(lower).matches() ? "0000:" + lower : lower);
    }

    @Override
    public int compareTo(PciAddress other) {
        return text.length() != other.text.length() ? text.length() - other.text.length() : text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
