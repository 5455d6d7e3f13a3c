package io.spindrift.bdev.spi;

import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.Reactors;
import java.util.List;
import java.util.Optional;

/// What a module gets from the application it is in.
///
/// @param parts other parts of the application that modules may use: its sockets, its [io.spindrift.framework.app.PciFlags]
public record BdevModuleContext(BdevRegistry registry, Reactors reactors, Memory memory, Log log, List<Object> parts) {
    public BdevModuleContext {
        parts = List.copyOf(parts);
    }

    /// An application without other parts.
    public BdevModuleContext(BdevRegistry registry, Reactors reactors, Memory memory, Log log) {
        this(registry, reactors, memory, log, List.of());
    }

    /// The part of this type, if the application has one.
    public <T> Optional<T> part(Class<T> type) {
        return parts.stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
