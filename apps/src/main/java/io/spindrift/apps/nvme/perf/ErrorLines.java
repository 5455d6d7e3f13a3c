package io.spindrift.apps.nvme.perf;

import io.spindrift.framework.thread.Control;
import io.spindrift.nvme.spec.Status;
import java.io.PrintStream;

/// Tells of I/Os that failed, each or every Nth, in SPDK's words. One for each load; [#add] on its thread.
///
/// A line that comes while the last is not out yet is counted as suppressed: a storm of errors does not fill the memory.
final class ErrorLines {
    private final Control control;
    private final PrintStream err;
    private final int interval;
    private long seen;
    private long suppressed;
    private volatile boolean printing;

    ErrorLines(Control control, PrintStream err, int interval) {
        this.control = control;
        this.err = err;
        this.interval = interval;
    }

    void add(boolean read, int status) {
        if (seen++ % interval != 0 || printing) {
            suppressed++;
            return;
        }
        String line = text(read, status, suppressed);
        suppressed = 0;
        printing = true;
        control.fromReactor(() -> {
            err.println(line);
            printing = false;
        });
    }

    static String text(boolean read, int status, long suppressed) {
        return (suppressed == 0 ? "" : "Message suppressed " + suppressed + " times: ") + (read ? "Read" : "Write")
                + " completed with error (sct=" + Status.sct(status) + ", sc=" + Status.sc(status) + ")";
    }
}
