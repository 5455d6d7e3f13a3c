package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// What can be configured at the start: the implementations there are, and `ssl`, which every configuration that SPDK
/// saved has, and which is kept though it cannot be used.
final class SockOptionDefaults {
    /// The order in which SPDK saves them.
    private static final List<String> FIRST = List.of("uring", "ssl", "posix");
    private static final SockImplOptions SSL = new SockImplOptions(4096, 4096, true, false, 0, true, false, 0, 0,
            false);

    private SockOptionDefaults() {}

    static void fill(Map<String, SockImplOptions> options, Collection<SockImplementation> implementations) {
        for (String name : FIRST) {
            if (name.equals("ssl")) {
                options.put(name, SSL);
            }
            implementations.stream().filter(implementation -> implementation.name().equals(name))
                    .forEach(implementation -> options.put(name, implementation.defaultOptions()));
        }
        implementations.forEach(
                implementation -> options.putIfAbsent(implementation.name(), implementation.defaultOptions()));
    }
}
