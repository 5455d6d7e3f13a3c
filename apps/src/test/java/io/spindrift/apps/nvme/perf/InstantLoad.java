package io.spindrift.apps.nvme.perf;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.TransportId;
import io.spindrift.sock.Sockets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;

/// A load on an [InstantTransport], on the test's thread and under its clock.
final class InstantLoad implements NamespaceLoad.Listener {
    final ManualReactor manual = new ManualReactor(1);
    private final Reactor core = manual.reactors().reactor(0);
    final InstantTransport transport = new InstantTransport();
    final List<Integer> failures = new ArrayList<>();
    final NamespaceLoad load;
    final NvmeController controller;
    boolean ended;

    InstantLoad(PerfOptions options) {
        Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
        Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
        NvmeDriver driver = new NvmeDriver(new DriverContext(manual.reactors(), memory,
                new Sockets(manual.reactors(), log, List.of()), log), List.of(transport));
        IoThread thread = manual.reactors().appThread();
        controller = control(() -> driver.connect(new TransportId("INSTANT", Optional.empty(), "there", "", ""),
                ControllerOptions.defaults(), ControllerListener.IGNORE));
        PerfNamespace namespace = PerfNamespace.of(controller, controller.namespaces().iterator().next(), options,
                warning -> {
                    throw new IllegalStateException(warning);
                }).orElseThrow();
        load = new NamespaceLoad(namespace, 0, thread, options, 0, this);
        control(() -> {
            load.connect(memory);
            return null;
        });
    }

    /// Options of a load of `depth` I/Os of `ioSize` bytes, for 1,000 s.
    static PerfOptions options(Pattern pattern, int depth, int ioSize) {
        PerfOptions options = new PerfOptions();
        options.pattern = Optional.of(pattern);
        options.depth = OptionalInt.of(depth);
        options.ioSize = OptionalInt.of(ioSize);
        options.mix = OptionalInt.of(50);
        options.seconds = OptionalInt.of(1000);
        return options;
    }

    <T> T control(Callable<T> task) {
        Future<T> result = manual.reactors().control().submit(task);
        manual.stepUntil(result::isDone);
        try {
            return result.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void start() {
        load.thread.send(load::onStart);
        turn();
    }

    /// In which each I/O ends that was on its way.
    void turn() {
        core.drive();
    }

    @Override
    public void ioFailed(NamespaceLoad failing, boolean read, int status) {
        failures.add(status);
    }

    @Override
    public void disconnected(NamespaceLoad failing, String reason) {
        // ended is told next
    }

    @Override
    public void ended(NamespaceLoad ending) {
        ended = true;
    }
}
