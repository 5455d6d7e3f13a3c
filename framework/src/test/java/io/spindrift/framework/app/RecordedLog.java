package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A log whose printed lines a test can look at.
final class RecordedLog implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());

    Log log() {
        return log;
    }

    /// Whether a line logged so far contains `text`.
    boolean contains(String text) throws InterruptedException {
        log.flush();
        synchronized (lines) {
            return lines.stream().anyMatch(line -> line.contains(text));
        }
    }

    @Override
    public void close() {
        log.close();
    }

    @Override
    public String toString() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }
}
