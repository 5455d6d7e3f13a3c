package io.spindrift.nvme.pcie;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a PCI function is: `0000:01:00.0`.
public record PciAddress(int domain, int bus, int device, int function) implements Comparable<PciAddress> {
    private static final Pattern FORM = Pattern
            .compile("(?:([0-9a-fA-F]{1,8})[:.])?([0-9a-fA-F]{1,2})[:.]([0-9a-fA-F]{1,2})[:.]([0-7])");

    public PciAddress {
        if (domain < 0 || bus < 0 || bus > 0xff || device < 0 || device > 0x1f || function < 0 || function > 7) {
            throw new IllegalArgumentException("PCI address " + text(domain, bus, device, function)
                    + " is outside 0:00:00.0 to 7fffffff:ff:1f.7");
        }
    }

    /// Reads `[domain:]bus:device.function` in hexadecimal; each of the separators may be a colon or a point.
    ///
    /// @throws IllegalArgumentException if it is not that
    public static PciAddress parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "traddr=" + text + " is no PCI address such as 0000:01:00.0 (domain:bus:device.function)");
        }
        String domain = matcher.group(1) == null ? "0" : matcher.group(1);
        return new PciAddress(Integer.parseUnsignedInt(domain, 16), Integer.parseInt(matcher.group(2), 16),
                Integer.parseInt(matcher.group(3), 16), Integer.parseInt(matcher.group(4)));
    }

    @Override
    public int compareTo(PciAddress other) {
        return toLong() == other.toLong() ? 0 : toLong() < other.toLong() ? -1 : 1;
    }

    private long toLong() {
        return (long) domain << 16 | bus << 8 | device << 3 | function;
    }

    private static String text(int domain, int bus, int device, int function) {
        return String.format("%04x:%02x:%02x.%x", domain, bus, device, function);
    }

    /// As sysfs names it.
    @Override
    public String toString() {
        return text(domain, bus, device, function);
    }
}
