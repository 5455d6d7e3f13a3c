package io.spindrift.framework.log;

/// How bad a line is, worst first. The names are those of `log_set_level` and of the lines themselves.
public enum LogLevel {
    /// Something failed that someone wanted.
    ERROR,
    /// Something is wrong and was worked around.
    WARNING,
    /// What an operator reads in a normal run.
    NOTICE,
    /// Detail about one topic; needs its [LogFlag].
    INFO,
    /// Every step of one topic; needs its [LogFlag].
    DEBUG;

    /// Whether a line of this level passes a threshold set to `threshold`.
    boolean passes(LogLevel threshold) {
        return compareTo(threshold) <= 0;
    }
}
