package io.spindrift.apps.setup;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What the environment's `PCI_ALLOWED` and `PCI_BLOCKED` say: addresses between blanks, as the peer reads them.
///
/// @param allowed the only devices to touch; `none` is the name of no device; empty for all
/// @param blocked devices never to touch, even if they are allowed
record AllowedDevices(List<String> allowed, List<String> blocked) {
    static AllowedDevices of(Map<String, String> environment) {
        return new AllowedDevices(words(environment.getOrDefault("PCI_ALLOWED", "")),
                words(environment.getOrDefault("PCI_BLOCKED", "")));
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split("[\\s,]+")).filter(word -> !word.isEmpty()).toList();
    }

    /// Why a device is not to be touched, if it is not.
    Optional<String> obstacle(PciAddress address) {
        if (has(blocked, address)) {
            return Optional.of("PCI_BLOCKED has it");
        }
        if (!allowed.isEmpty() && !has(allowed, address)) {
            return Optional.of("PCI_ALLOWED does not have it");
        }
        return Optional.empty();
    }

    private static boolean has(List<String> list, PciAddress address) {
        return list.stream().anyMatch(word -> word.equalsIgnoreCase(address.text())
                || ("0000:" + word).equalsIgnoreCase(address.text()));
    }
}
