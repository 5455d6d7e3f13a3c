package io.spindrift.framework.log;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/// One line as the caller left it: when, how bad, where in the source, what.
///
/// `file` is empty where the source is unknown; the line then starts with its level. `printed` and `systemLogged` are
/// where it goes, by the thresholds when it was logged.
record LogLine(Instant time, LogLevel level, String file, int lineNumber, String method, String text,
        boolean printed, boolean systemLogged) {

    /// The line without a line feed, with the time in `zone` in front unless `timestamp` is false:
    /// `[2026-11-30 18:00:00.123456] Class.java: 123:method: *NOTICE*: text`.
    String format(boolean timestamp, ZoneId zone) {
        StringBuilder out = new StringBuilder(80 + text.length());
        if (timestamp) {
            appendTime(out, LocalDateTime.ofInstant(time, zone));
        }
        if (!file.isEmpty()) {
            out.append(file).append(':');
            padded(out, lineNumber, 4, ' ');
            out.append(':').append(method).append(": ");
        }
        return out.append('*').append(level.name()).append("*: ").append(text).toString();
    }

    private static void appendTime(StringBuilder out, LocalDateTime t) {
        out.append('[');
        padded(out, t.getYear(), 4, '0');
        padded(out.append('-'), t.getMonthValue(), 2, '0');
        padded(out.append('-'), t.getDayOfMonth(), 2, '0');
        padded(out.append(' '), t.getHour(), 2, '0');
        padded(out.append(':'), t.getMinute(), 2, '0');
        padded(out.append(':'), t.getSecond(), 2, '0');
        padded(out.append('.'), t.getNano() / 1000, 6, '0');
        out.append("] ");
    }

    private static void padded(StringBuilder out, int value, int width, char fill) {
        String digits = Integer.toString(value);
        out.repeat(fill, Math.max(0, width - digits.length())).append(digits);
    }
}
