package io.spindrift.framework.log;

import java.util.ArrayList;
import java.util.List;

/// Keeps the lines it is given.
final class RecordingSink implements LogSink {
    private final List<String> lines = new ArrayList<>();

    @Override
    public synchronized void write(LogLevel level, String line) {
        lines.add(line);
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
