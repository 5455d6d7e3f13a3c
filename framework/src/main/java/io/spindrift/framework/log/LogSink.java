package io.spindrift.framework.log;

/// Where finished lines go. Called by one thread at a time, never by a reactor; may block.
@FunctionalInterface
public interface LogSink {
    /// Takes one line, which has no line feed at its end (a stack trace has some inside).
    void write(LogLevel level, String line);

    /// Makes what was written visible; called when the queue has run empty.
    default void flush() {}

    /// A sink that keeps nothing.
    static LogSink discard() {
        return (level, line) -> {};
    }
}
