package io.spindrift.nvme.pcie;

import io.spindrift.framework.app.PciFlags;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.NvmeTransportProvider;
import io.spindrift.sock.Sockets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A driver whose only device is a [FakeNvmeDevice]: reactor and device are stepped by the test's thread, which waits for
/// what control threads do.
final class PcieRig {
    static final String ADDRESS = "0000:01:00.0";

    private static final long PATIENCE_NANOS = 30_000_000_000L;

    final ManualReactor reactor = new ManualReactor(1);
    final FakeNvmeDevice device = new FakeNvmeDevice();
    final Memory memory = new Memory(MemoryOptions.DEFAULT, reactor.reactors());
    final List<String> log = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    final List<Set<Long>> changes = new ArrayList<>();
    final FakeSysfs sysfs;
    final NvmeDriver driver;
    /// Whether the device is stepped beside the reactor.
    boolean deviceRuns = true;
    private final Log lines = new Log((level, line) -> log.add(line), (level, line) -> {}, Clock.systemUTC());

    /// The device is bound to vfio-pci in a fake sysfs below `folder`.
    PcieRig(Path folder) throws IOException {
        sysfs = new FakeSysfs(folder);
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);
        DriverContext context = new DriverContext(reactor.reactors(), memory,
                new Sockets(reactor.reactors(), lines, List.of()), lines, PciFlags.DEFAULT);
        driver = new NvmeDriver(context, List.of(new NvmeTransportProvider() {
            @Override
            public String name() {
                return TransportId.PCIE;
            }

            @Override
            public NvmeTransport create(DriverContext given) {
                return new PcieTransport(given, device.vfio, sysfs.paths());
            }
        }));
    }

    // ---- time -------------------------------------------------------------------------------------------------

    void step() {
        reactor.stepAll();
        if (deviceRuns) {
            device.step();
        }
    }

    void until(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("nothing came of it; reports: " + reactor.reports() + " log: " + log);
            }
            step();
        }
    }

    /// Runs `task` on a control thread, stepping meanwhile; what it throws is thrown here.
    <T> T control(Callable<T> task) throws Exception {
        return end(begin(task));
    }

    /// Runs `task` on a control thread, which goes on while the test does.
    <T> Future<T> begin(Callable<T> task) {
        return reactor.reactors().control().submit(task);
    }

    /// Steps until that task has ended; what it throws is thrown here.
    <T> T end(Future<T> future) throws Exception {
        until(future::isDone);
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    // ---- the driver -------------------------------------------------------------------------------------------

    NvmeController connect() throws Exception {
        return connect(ControllerOptions.defaults());
    }

    NvmeController connect(ControllerOptions options) throws Exception {
        return control(() -> connectHere(options));
    }

    /// On a control thread.
    NvmeController connectHere() throws Exception {
        return connectHere(ControllerOptions.defaults());
    }

    private NvmeController connectHere(ControllerOptions options) throws Exception {
        return driver.connect(TransportId.pcie(ADDRESS), options, new ControllerListener() {
            @Override
            public void failed(NvmeController controller, String reason) {
                failures.add(reason);
            }

            @Override
            public void namespacesChanged(NvmeController controller, Set<Long> nsids) {
                changes.add(nsids);
            }
        });
    }

    IoThread thread() {
        return reactor.reactors().appThread();
    }

    QueuePair queuePair(NvmeController controller) throws Exception {
        return control(() -> controller.connectQueuePair(thread(), QueuePairListener.IGNORE));
    }

    /// Runs a command on a queue pair's thread and returns its status, stepping until it has ended.
    int run(QueuePair queue, Consumer<NvmeRequest> build) {
        int[] status = {-1};
        submit(queue, build, status);
        until(() -> status[0] >= 0);
        return status[0];
    }

    /// Submits a command, whose status comes to `status[0]`.
    void submit(QueuePair queue, Consumer<NvmeRequest> build, int[] status) {
        reactor.run(queue.thread(), () -> {
            NvmeRequest request = queue.acquire();
            build.accept(request);
            boolean taken = request.submit(ended -> {
                status[0] = ended.status();
                ended.release();
            });
            if (!taken) {
                throw new AssertionError("not connected");
            }
        });
    }

    void close() throws Exception {
        control(() -> {
            driver.close();
            return null;
        });
        reactor.close();
        memory.close();
        lines.close();
    }
}
