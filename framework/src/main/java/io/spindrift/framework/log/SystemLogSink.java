package io.spindrift.framework.log;

import io.spindrift.framework.internal.ffi.Libc;
import java.nio.file.Files;
import java.nio.file.Path;

/// Hands lines to the system log through syslog(3), prefixed with the program's name and process id.
///
/// Without a system log (no `/dev/log`, as in most containers) it costs nothing and keeps nothing.
final class SystemLogSink implements LogSink {
    private static final Path SOCKET = Path.of("/dev/log");

    private final String prefix;
    private final boolean present = Files.exists(SOCKET);

    SystemLogSink(String program) {
        prefix = program + "[" + ProcessHandle.current().pid() + "]: ";
    }

    @Override
    public void write(LogLevel level, String line) {
        if (present) {
            Libc.syslog(priority(level), prefix + line);
        }
    }

    private static int priority(LogLevel level) {
        return switch (level) {
            case ERROR -> Libc.LOG_ERR;
            case WARNING -> Libc.LOG_WARNING;
            case NOTICE -> Libc.LOG_NOTICE;
            case INFO -> Libc.LOG_INFO;
            case DEBUG -> Libc.LOG_DEBUG;
        };
    }
}
