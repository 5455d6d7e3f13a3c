package io.spindrift.framework.app;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// What the command line says about PCI devices.
///
/// @param disabled `-u`: touch none
/// @param allowed `-A`: touch these only; empty for no such limit
/// @param blocked `-B`: do not touch these
/// @param vfToken `--vfio-vf-token`: shared with the driver of the physical function
public record PciFlags(boolean disabled, List<String> allowed, List<String> blocked, Optional<UUID> vfToken) {
    /// Every device may be touched.
    public static final PciFlags DEFAULT = new PciFlags(false, List.of(), List.of(), Optional.empty());

    /// Refuses both lists at once.
    public PciFlags {
        if (!allowed.isEmpty() && !blocked.isEmpty()) {
            throw new IllegalArgumentException("devices can be allowed (-A) or blocked (-B), not both");
        }
        allowed = List.copyOf(allowed);
        blocked = List.copyOf(blocked);
    }

    /// These, with every device forbidden.
    public PciFlags withNone() {
        return new PciFlags(true, allowed, blocked, vfToken);
    }

    /// These, with the device at `address` allowed too.
    public PciFlags withAllowed(String address) {
        return new PciFlags(disabled, append(allowed, address), blocked, vfToken);
    }

    /// These, with the device at `address` blocked too.
    public PciFlags withBlocked(String address) {
        return new PciFlags(disabled, allowed, append(blocked, address), vfToken);
    }

    /// These, with `token`.
    public PciFlags withVfToken(UUID token) {
        return new PciFlags(disabled, allowed, blocked, Optional.of(token));
    }

    /// Whether the device at `address` (`0000:01:00.0`) may be touched. The flags may leave its domain out, and write a
    /// colon for the point.
    public boolean allows(String address) {
        return !disabled && !contains(blocked, address) && (allowed.isEmpty() || contains(allowed, address));
    }

    private static boolean contains(List<String> list, String address) {
        String wanted = address.replace('.', ':');
        return list.stream().map(given -> given.replace('.', ':'))
                .anyMatch(given -> given.equalsIgnoreCase(wanted) || ("0000:" + given).equalsIgnoreCase(wanted));
    }

    private static List<String> append(List<String> list, String address) {
        return Stream.concat(list.stream(), Stream.of(address)).toList();
    }
}
