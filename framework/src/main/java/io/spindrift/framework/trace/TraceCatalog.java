package io.spindrift.framework.trace;

import java.util.List;
import java.util.ServiceLoader;

/// A service: the tracepoints that a module declares. `provides TraceCatalog with BdevTracepoints`.
///
/// An application collects the catalogs of its layer; see [TraceGroups#of].
public interface TraceCatalog {
    List<TraceGroup> groups();

    /// The groups of every catalog visible from `layer`, plug-ins included.
    static TraceGroups load(ModuleLayer layer) {
        return TraceGroups.of(ServiceLoader.load(layer, TraceCatalog.class).stream()
                .flatMap(provider -> provider.get().groups().stream()).toList());
    }
}
