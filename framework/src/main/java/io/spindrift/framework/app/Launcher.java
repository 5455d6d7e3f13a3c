package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// Runs an [Application] as the process itself: what a program's main method calls, once in a JVM.
///
/// SIGINT and SIGTERM stop the application, which has five seconds; a second one ends the process at once.
public final class Launcher {
    private static final int SIGNAL_STATUS = 128; // as shells report a process that a signal ended

    /// How long the start's thread, which has given up by then, may take to end after the stop has.
    private static final long START_END_MILLIS = 100;

    private final Log log;
    private final IntConsumer halt;
    private final AtomicInteger signals = new AtomicInteger();
    private volatile Optional<Application> application = Optional.empty();

    Launcher(Log log, IntConsumer halt) {
        this.log = log;
        this.halt = halt;
    }

    /// Runs to the end and returns the status to exit with: 0, the program's own, or 1 after a failure, which standard
    /// error tells.
    public static int run(ApplicationOptions options, AppComponents components) throws InterruptedException {
        try (Log log = Log.standard(options.name())) {
            Launcher launcher = new Launcher(log, Runtime.getRuntime()::halt);
            for (KillSignal signal : new KillSignal[]{KillSignal.SIGINT, KillSignal.SIGTERM}) {
                ProcessSignals.onSignal(signal, () -> launcher.receive(signal));
            }
            return launcher.runToTheEnd(options, components, Lifecycle.STOP_LIMIT_NANOS);
        }
    }

    int runToTheEnd(ApplicationOptions options, AppComponents components, long stopLimitNanos)
            throws InterruptedException {
        try {
            if (options.waitForRpc() && options.rpcAddress().isEmpty()) {
                throw new StartException(
                        "--wait-for-rpc needs an RPC server, and there is none (--no-rpc-server, or no "
                                + "-r SOCKET): nobody could call framework_start_init");
            }
            Application created = Application.create(options, components, log, Optional.of(ProcessSignals::send),
                    stopLimitNanos);
            application = Optional.of(created); // volatile: receive() counts before it reads this
            if (signals.get() > 0) {
                created.stop(0);
            }
            return startAndJoin(created);
        } catch (StartException e) {
            log.error("%s", e.getMessage());
            return 1;
        }
    }

    /// Starts on a thread of its own, so that the limit for a stop holds for one that comes during the start, too.
    private static int startAndJoin(Application created) throws StartException, InterruptedException {
        FutureTask<Void> start = new FutureTask<>(() -> {
            try {
                created.start();
            } catch (Throwable e) {
                created.stop(1); // join() waits for that
                throw e;
            }
            return null;
        });
        Thread.ofPlatform().daemon().name(created.options().name() + "-start").start(start);
        int status = created.join();
        try {
            start.get(START_END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case StartException refused -> throw refused;
                case RuntimeException bug -> throw bug;
                case Error bug -> throw bug;
                default -> throw new IllegalStateException(e.getCause());
            }
        } catch (TimeoutException e) {
            return status; // join() has told that the start holds the stop
        }
        return status;
    }

    /// What a signal does; on the JVM's thread for it.
    void receive(KillSignal signal) {
        if (signals.incrementAndGet() > 1) {
            halt.accept(SIGNAL_STATUS + signal.number());
        }
        log.notice("%s: stopping; another one ends the process at once", signal);
        application.ifPresent(running -> running.stop(0));
    }
}
