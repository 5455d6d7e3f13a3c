package io.spindrift.test.guest;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.Version;
import io.spindrift.sock.Sockets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Runs inside the guest, in a JVM of its own, on a controller that vfio-pci has: what a host does with it, until it is taken
/// away. Prints a line for each step; a step that fails ends it with an exception.
final class PcieHost implements ControllerListener {
    private static final long PATIENCE_SECONDS = 120;
    /// Namespace 2 is detached when the controller is plugged in.
    private static final long DETACHED = 2;

    private final Log log = new Log((_, line) -> System.out.println(line), LogSink.discard(), Clock.systemUTC());
    private final Reactors reactors = Reactors.start(ReactorOptions.of("host", CpuMask.of(0, 1)));
    private final Memory memory = new Memory(new MemoryOptions(false, 64), reactors);
    private final NvmeDriver driver = NvmeDriver.load(
            new DriverContext(reactors, memory, Sockets.load(reactors, log, ModuleLayer.boot()), log),
            ModuleLayer.boot());
    private final BlockingQueue<Set<Long>> changes = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();

    private PcieHost() {}

    /// ADDRESS: of the controller.
    public static void main(String[] arguments) throws Exception {
        PcieHost host = new PcieHost();
        host.reactors.control().submit(() -> {
            host.run(arguments[0]);
            return null;
        }).get();
        host.driver.close();
        host.reactors.close();
        host.memory.close();
        host.log.close();
    }

    private void run(String address) throws Exception {
        TransportId id = TransportId.pcie(address);
        require(driver.enumerate().equals(List.of(id)), "enumerated: " + driver.enumerate());
        NvmeController controller = driver.connect(id, ControllerOptions.defaults(), this);
        print("identified %s, %s, NVMe %s, namespaces %s", controller.data().serialNumber(),
                controller.data().modelNumber(), Version.text(controller.data().vs()),
                controller.namespaces().stream().map(NvmeNamespace::nsid).toList());
        IoThread thread = reactors.createThread("io", CpuMask.of(1));
        QueuePair queue = controller.connectQueuePair(thread, QueuePairListener.IGNORE);

        try (PcieWorkload workload = new PcieWorkload(memory, queue, controller.namespace(1).orElseThrow())) {
            print("verified %d", workload.writeAndVerify(1000));
            sleepWithoutCost();
            attachAndDetach(controller, queue);
            resetUnderIo(controller, workload);
            print("verified %d", workload.writeAndVerify(300));
            workload.begin();
            print("ready to be taken away");
            String reason = failures.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            print("told: %s", reason);
            require(controller.transport().gone().isPresent(), "gone");
            controller.close();
            print("ended: %s", workload.end());
        }
    }

    // ---- steps ------------------------------------------------------------------------------------------------

    /// Idle reactors and an idle controller: interrupts wake, nothing spins.
    private void sleepWithoutCost() throws Exception {
        TimeUnit.SECONDS.sleep(1);
        long before = cpuTicks();
        TimeUnit.SECONDS.sleep(3);
        print("idle for 300 ticks took %d", cpuTicks() - before);
    }

    /// Ticks of 10 ms that this process has run.
    private static long cpuTicks() throws Exception {
        String[] fields = Files.readString(Path.of("/proc/self/stat")).replaceFirst(".*\\) ", "").split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private void attachAndDetach(NvmeController controller, QueuePair queue) throws Exception {
        require(controller.namespace(DETACHED).isEmpty(), "namespace 2 is attached");
        controller.admin().attachNamespace(DETACHED, controller.data().cntlid(), true);
        require(Set.of(DETACHED).equals(changes.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)), "no event of its coming");
        try (PcieWorkload workload = new PcieWorkload(memory, queue, controller.namespace(DETACHED).orElseThrow())) {
            print("attached namespace 2, verified %d", workload.writeAndVerify(50));
        }
        controller.admin().attachNamespace(DETACHED, controller.data().cntlid(), false);
        require(Set.of(DETACHED).equals(changes.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)), "no event of its going");
        print("detached namespace 2: %s", controller.namespace(DETACHED).isEmpty());
    }

    private void resetUnderIo(NvmeController controller, PcieWorkload workload) throws Exception {
        for (int i = 0; i < 5; i++) {
            workload.begin();
            TimeUnit.MILLISECONDS.sleep(200);
            controller.reset();
            print("reset under I/O: %s", workload.end());
        }
        require(failures.isEmpty(), "failures: " + failures);
    }

    // ---- what is told -----------------------------------------------------------------------------------------

    @Override
    public void failed(NvmeController controller, String reason) {
        failures.add(reason);
    }

    @Override
    public void namespacesChanged(NvmeController controller, Set<Long> nsids) {
        changes.add(nsids);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(format, values));
    }
}
