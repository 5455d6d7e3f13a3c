package io.spindrift.framework.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The log of one application: lines of five levels, to standard error and to the system log.
///
/// Any thread, reactors included: a call formats its text, notes its caller and enqueues; the log's own thread does
/// the output. Formats are those of [String#format]. What is written is decided by two thresholds, both `NOTICE`
/// at first: [#printLevel()] for standard error and [#level()] for the system log. Info and debug lines need their
/// [LogFlag] as well.
public final class Log implements AutoCloseable {
    private static final String ALL = "all";
    private static final StackWalker CALLERS = StackWalker.getInstance();
    private static final String SELF = Log.class.getName();

    private final Map<String, LogFlag> flags = new ConcurrentHashMap<>();
    private final Set<String> expected = ConcurrentHashMap.newKeySet();
    private final Clock clock;
    private final LogSink print;
    private final LogSink system;
    private final LogWriter writer;
    private volatile LogLevel level = LogLevel.NOTICE;
    private volatile LogLevel printLevel = LogLevel.NOTICE;
    private volatile boolean timestamps = true;

    /// A log that prints to `print`, hands to `system`, and reads the time (and its zone) from `clock`.
    /// Its thread runs until [#close()].
    public Log(LogSink print, LogSink system, Clock clock) {
        this.print = print;
        this.system = system;
        this.clock = clock;
        this.writer = new LogWriter("log", this::write, this::reportDropped, this::flushSinks);
    }

    /// The log of a program run from a terminal: standard error, and the system log under the name `program`.
    public static Log standard(String program) {
        return new Log(new StandardErrorSink(), new SystemLogSink(program), Clock.systemDefaultZone());
    }

    // ---- lines ------------------------------------------------------------------------------------------------

    /// Something failed that someone wanted.
    public void error(String format, Object... arguments) {
        line(LogLevel.ERROR, format, arguments);
    }

    /// As [#error(String, Object...)], followed by the stack trace of `cause`.
    public void error(Throwable cause, String format, Object... arguments) {
        if (wanted(LogLevel.ERROR)) {
            enqueue(LogLevel.ERROR, String.format(format, arguments) + System.lineSeparator() + trace(cause));
        }
    }

    /// Something is wrong and was worked around.
    public void warn(String format, Object... arguments) {
        line(LogLevel.WARNING, format, arguments);
    }

    /// What an operator reads in a normal run.
    public void notice(String format, Object... arguments) {
        line(LogLevel.NOTICE, format, arguments);
    }

    /// Detail about the topic `flag`; costs one volatile read while that is off.
    public void info(LogFlag flag, String format, Object... arguments) {
        if (flag.enabled()) {
            line(LogLevel.INFO, format, arguments);
        }
    }

    /// Every step of the topic `flag`; costs one volatile read while that is off.
    public void debug(LogFlag flag, String format, Object... arguments) {
        if (flag.enabled()) {
            line(LogLevel.DEBUG, format, arguments);
        }
    }

    private void line(LogLevel lineLevel, String format, Object... arguments) {
        if (wanted(lineLevel)) {
            enqueue(lineLevel, arguments.length == 0 ? format : String.format(format, arguments));
        }
    }

    private boolean wanted(LogLevel lineLevel) {
        return lineLevel.passes(printLevel) || lineLevel.passes(level);
    }

    private void enqueue(LogLevel lineLevel, String text) {
        StackWalker.StackFrame caller = CALLERS
                .walk(frames -> frames.dropWhile(f -> f.getClassName().equals(SELF)).findFirst().orElse(null));
        boolean known = caller != null && caller.getFileName() != null;
        writer.offer(new LogLine(clock.instant(), lineLevel, known ? caller.getFileName() : "",
                known ? caller.getLineNumber() : 0, known ? sourceMethod(caller.getMethodName()) : "", text,
                lineLevel.passes(printLevel), lineLevel.passes(level)));
    }

    /// The method that a reader finds in the source: a lambda's body is named after the method around it.
    private static String sourceMethod(String compiled) {
        if (!compiled.startsWith("lambda$")) {
            return compiled;
        }
        int end = compiled.lastIndexOf('$');
        return compiled.substring("lambda$".length(), Math.max(end, "lambda$".length()));
    }

    private static String trace(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text, true));
        return text.toString().stripTrailing();
    }

    // ---- thresholds -------------------------------------------------------------------------------------------

    /// The worst level that the system log does not miss.
    public LogLevel level() {
        return level;
    }

    /// Sets what the system log receives: `threshold` and worse.
    public void level(LogLevel threshold) {
        level = threshold;
    }

    /// The least bad level that standard error shows.
    public LogLevel printLevel() {
        return printLevel;
    }

    /// Sets what standard error shows: `threshold` and worse.
    public void printLevel(LogLevel threshold) {
        printLevel = threshold;
    }

    /// Whether printed lines start with the time; they do at first.
    public void timestamps(boolean wanted) {
        timestamps = wanted;
    }

    // ---- flags ------------------------------------------------------------------------------------------------

    /// The topic `name`; off when first asked for, unless it is expected.
    public LogFlag flag(String name) {
        return flags.computeIfAbsent(name, _ -> {
            LogFlag flag = new LogFlag(name);
            flag.enable(expected.contains(name) || expected.contains(ALL));
            return flag;
        });
    }

    /// Turns the topic `name` (or `all`) on, now or as soon as a module asks for it.
    public void expectFlag(String name) {
        expected.add(name);
        flags.values().stream().filter(flag -> name.equals(ALL) || flag.name().equals(name))
                .forEach(flag -> flag.enable(true));
    }

    /// The expected topics that no module has asked for so far.
    public List<String> missingFlags() {
        return expected.stream().filter(name -> !name.equals(ALL) && !flags.containsKey(name)).sorted().toList();
    }

    /// Turns the topic `name` on or off, or every known one if `name` is `all`.
    ///
    /// @throws IllegalArgumentException if no module has asked for that topic
    public void enableFlag(String name, boolean wanted) {
        if (name.equals(ALL)) {
            flags.values().forEach(flag -> flag.enable(wanted));
            return;
        }
        LogFlag flag = flags.get(name);
        if (flag == null) {
            throw new IllegalArgumentException("flag=" + name + " is not a log flag; there are: " + ALL + ", "
                    + String.join(", ", flagStates().keySet()));
        }
        flag.enable(wanted);
    }

    /// Every known topic by name, and whether it is on.
    public SortedMap<String, Boolean> flagStates() {
        SortedMap<String, Boolean> states = new TreeMap<>();
        flags.values().forEach(flag -> states.put(flag.name(), flag.enabled()));
        return states;
    }

    // ---- output, on the writer's thread -----------------------------------------------------------------------

    private void write(LogLine line) {
        if (line.printed()) {
            print.write(line.level(), line.format(timestamps, clock.getZone()));
        }
        if (line.systemLogged()) {
            system.write(line.level(), line.format(false, clock.getZone()));
        }
    }

    private void reportDropped(long lines) {
        write(new LogLine(clock.instant(), LogLevel.WARNING, "", 0, "",
                lines + " log lines were lost: more than " + LogWriter.CAPACITY + " were waiting to be written",
                true, true));
    }

    private void flushSinks() {
        print.flush();
        system.flush();
    }

    /// Returns when every line logged before has been written. Not on a reactor.
    public void flush() throws InterruptedException {
        writer.flush();
    }

    /// Writes what is waiting and ends the log's thread. Lines logged later are written by their callers.
    @Override
    public void close() {
        writer.close();
    }
}
