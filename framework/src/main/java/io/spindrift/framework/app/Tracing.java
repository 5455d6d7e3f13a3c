package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.framework.trace.Trace;
import io.spindrift.framework.trace.TraceCatalog;
import io.spindrift.framework.trace.TraceGroups;
import io.spindrift.framework.trace.TraceOptions;
import io.spindrift.framework.trace.TraceSelection;
import java.io.IOException;
import java.util.List;
import java.util.ServiceLoader;

/// Makes an application's [Trace] from its flags.
final class Tracing {
    private Tracing() {}

    /// The trace of `reactors`, with the tracepoints of all modules and plug-ins. Those of plug-ins that do not fit
    /// together with the others are told, and left out.
    static Trace create(ApplicationOptions options, Reactors reactors, Plugins plugins, Log log)
            throws StartException {
        int entries = options.traceEntries();
        int powerOfTwo = entries == 0 ? 0 : Integer.highestOneBit(2 * entries - 1);
        try {
            TraceOptions traceOptions = new TraceOptions(options.name(), options.sharedMemoryId(), powerOfTwo,
                    TraceOptions.SHARED_MEMORY);
            return new Trace(traceOptions, groups(plugins, log), reactors.reactors());
        } catch (IllegalArgumentException e) {
            throw new StartException(e.getMessage(), e);
        }
    }

    private static TraceGroups groups(Plugins plugins, Log log) {
        List<TraceCatalog> catalogs = plugins.services(layer -> ServiceLoader.load(layer, TraceCatalog.class));
        try {
            return TraceGroups.of(catalogs.stream().flatMap(catalog -> catalog.groups().stream()).toList());
        } catch (IllegalArgumentException e) {
            log.error("the tracepoints of plug-ins are left out: %s", e.getMessage());
            return TraceCatalog.load(plugins.program());
        }
    }

    /// Switches on what `-e` asked for, and says how to read it.
    static void enable(ApplicationOptions options, Trace trace, Log log) throws StartException {
        for (String text : options.tracepoints()) {
            try {
                trace.enable(TraceSelection.parse(text, trace.groups()));
                log.notice("Tracing %s; '%s' shows the records.", text, trace.captureCommand());
            } catch (IllegalArgumentException | IllegalStateException | IOException e) {
                throw new StartException("-e " + text + ": " + e.getMessage(), e);
            }
        }
    }
}
