package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.ReactorEvents;

/// Writes what reactors report to the application's log.
record LoggedReactorEvents(Log log) implements ReactorEvents {
    @Override
    public void exception(String where, Throwable cause) {
        log.error(cause, "%s: an exception was contained", where);
    }

    @Override
    public void report(String sentence) {
        log.warn("%s", sentence);
    }
}
