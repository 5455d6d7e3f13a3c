package io.spindrift.apps.nvme;

import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;

/// A program of this package in this JVM: what it prints, and the status that it ends with.
public final class ProgramRun implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final CountDownLatch printed = new CountDownLatch(1);
    private final Application application;

    /// Starts what `program` makes of standard output and standard error. `awaited` is what [#awaitPrinted] waits for.
    public ProgramRun(String awaited, BiFunction<PrintStream, PrintStream, AppComponents> program) throws Exception {
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8) {
            @Override
            public void flush() {
                super.flush();
                if (output.toString(StandardCharsets.UTF_8).contains(awaited)) {
                    printed.countDown();
                }
            }
        };
        application = Application.create(
                ApplicationOptions.builder("program").noRpcServer().cpuLocks(false).traceEntries(0).build(),
                program.apply(out, new PrintStream(errors, true, StandardCharsets.UTF_8)), log);
        application.start();
    }

    public void awaitPrinted() throws InterruptedException {
        printed.await();
    }

    public void stop() {
        application.stop(0);
    }

    /// Waits for the end.
    public int status() throws InterruptedException {
        return application.join();
    }

    public String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    public String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    public List<String> log() throws InterruptedException {
        log.flush();
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public void close() {
        application.close();
        log.close();
    }
}
