package io.spindrift.nvme.pcie;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryMapException;
import io.spindrift.nvme.AdminCommands;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.Aqa;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Csts;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spi.TransportController;
import io.spindrift.nvme.spi.TransportQueuePair;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/// A controller behind PCIe: its registers, and what its queue pairs share.
///
/// ```
///   open --> prepareAdminQueue --> (CC.EN) --> initialised --> queue pairs --> stop --> prepareAdminQueue ...  --> close
/// ```
/// Between `prepareAdminQueue` and [#stop] the device may read and write memory at any time.
final class PcieController extends TransportController {
    private static final long UNIT_MILLIS = 500;
    private static final long POLL_MILLIS = 1;
    /// Vectors that are enabled, though a device may have 2,048: each has a descriptor. Queue pairs beyond are polled.
    private static final int MOST_VECTORS = 129;

    static final String UNREACHABLE = "its registers cannot be reached any more";

    private final PcieTransport transport;
    private final NvmeController controller;
    private final PciAddress address;
    private final List<PcieQueuePair> queuePairs = new CopyOnWriteArrayList<>();
    private PcieQueuePair adminQueue;
    /// Null until the first open().
    private VfioDevice device;
    private Registers registers;
    private final DoorbellBuffers doorbells;
    private final ControllerMemory controllerMemory;
    private long cap;
    private int vectors;
    private DataPointer.Sgl sgl = DataPointer.Sgl.NONE;
    /// Held while it is stopped: by whom it is disconnected, or for its admin queue.
    private final ReentrantLock stopping = new ReentrantLock();
    /// Counts how often the device was given memory.
    private volatile int run;
    private volatile boolean running;
    private volatile String gone = "";

    PcieController(PcieTransport transport, NvmeController controller, PciAddress address) {
        this.transport = transport;
        this.controller = controller;
        this.address = address;
        doorbells = new DoorbellBuffers(transport.memory());
        controllerMemory = new ControllerMemory(transport.container());
    }

    /// The queue pair of admin commands.
    PcieQueuePair adminQueue() {
        return adminQueue;
    }

    // ---- for its queue pairs ----------------------------------------------------------------------------------

    NvmeController controller() {
        return controller;
    }

    Memory memory() {
        return transport.memory();
    }

    VfioDevice device() {
        return device;
    }

    Registers registers() {
        return registers;
    }

    /// Whether the device may read and write memory.
    boolean running() {
        return running;
    }

    /// Counts how often the device was given memory. Any thread.
    int run() {
        return run;
    }

    int consumerIndex() {
        return transport.container().consumerIndex();
    }

    /// How commands of queue pair `qid` tell where their data are.
    DataPointer dataPointer(int qid) {
        return new DataPointer(memory(), consumerIndex(), qid == 0 ? DataPointer.Sgl.NONE : sgl);
    }

    /// The MSI-X vector of queue pair `qid`, or -1 if it has none.
    int vector(int qid) {
        return qid < vectors ? qid : -1;
    }

    Doorbell submissionDoorbell(int qid, PcieCounters counters) {
        return doorbells.of(registers, qid, 2 * qid, registers.submissionDoorbell(qid, Cap.dstrd(cap)), cap,
                counters.submissionDoorbells);
    }

    Doorbell completionDoorbell(int qid, PcieCounters counters) {
        return doorbells.of(registers, qid, 2 * qid + 1, registers.completionDoorbell(qid, Cap.dstrd(cap)), cap,
                counters.completionDoorbells);
    }

    /// The controller's own memory, for submission queues.
    ControllerMemory controllerMemory() {
        return controllerMemory;
    }

    /// The device cannot be used any more, whatever is done to it.
    void isGone(String reason) {
        gone = reason;
    }

    // ---- registers --------------------------------------------------------------------------------------------

    @Override
    public boolean fabrics() {
        return false;
    }

    @Override
    public void open() throws Exception {
        if (!gone.isEmpty()) {
            throw new NvmeException(Errno.ENODEV, controller.name() + ": " + gone);
        }
        if (device == null) {
            openDevice();
        }
        cap = property(ControllerProperty.CAP, 8);
        if (cap != -1 && Cap.mpsmin(cap) > 0) {
            throw new NvmeException(Errno.EOPNOTSUPP, controller.name() + ": its smallest memory page (CAP.MPSMIN) has "
                    + (1L << 12 + Cap.mpsmin(cap)) + " bytes, the host's " + DataPointer.PAGE_BYTES);
        }
    }

    private void openDevice() throws Exception {
        PciDevice found = transport.bus().find(address).orElseThrow(
                () -> new NvmeException(Errno.ENODEV, "traddr=" + address + ": there is no such PCI device"));
        if (!found.isUsable()) {
            throw new NvmeException(Errno.ENODEV, found.obstacle().orElseThrow());
        }
        try {
            device = transport.container().open(found);
            registers = new Registers(device.bar().mapped());
            int wanted = Math.min(MOST_VECTORS, controller.options().queues().ioQueues() + 1);
            vectors = Math.min(wanted, device.msixVectors());
            if (vectors > 0) {
                device.enableMsix(vectors);
            }
        } catch (NvmeException e) {
            throw e;
        } catch (ErrnoException e) {
            throw new NvmeException(e.errno(), controller.name() + ": " + e.getMessage(), e);
        } catch (MemoryMapException e) {
            int errno = e.getCause() instanceof ErrnoException cause ? cause.errno() : Errno.EIO;
            throw new NvmeException(errno, controller.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public long property(int offset, int bytes) {
        try {
            return bytes == 8 ? registers.read64(offset) : registers.read32(offset);
        } catch (InternalError fault) {
            throw unreachable(fault);
        }
    }

    @Override
    public void propertyTo(int offset, int bytes, long value) {
        try {
            if (bytes == 8) {
                registers.write64(offset, value);
            } else {
                registers.write32(offset, (int) value);
            }
        } catch (InternalError fault) {
            throw unreachable(fault);
        }
    }

    /// A fault in mapped memory, as the JVM tells of it: soon after the access, which may be too late for whoever made it.
    private NvmeException unreachable(InternalError fault) {
        isGone(UNREACHABLE);
        return new NvmeException(Errno.ENODEV, controller.name() + ": " + UNREACHABLE, fault);
    }

    // ---- queues -----------------------------------------------------------------------------------------------

    @Override
    public TransportQueuePair newQueuePair(QueuePair queuePair, int requests) {
        PcieQueuePair made = new PcieQueuePair(this, queuePair, requests);
        queuePairs.add(made);
        if (queuePair.qid() == 0) {
            adminQueue = made;
        }
        return made;
    }

    @Override
    public void prepareAdminQueue(int entries) {
        doorbells.disable(); // what the controller knew of them it forgot when it was disabled
        adminQueue.prepare();
        propertyTo(ControllerProperty.AQA, 4, Aqa.of(entries - 1, entries - 1));
        propertyTo(ControllerProperty.ASQ, 8, adminQueue.submissionIova());
        propertyTo(ControllerProperty.ACQ, 8, adminQueue.completionIova());
        stopping.lock();
        try {
            run++; // what is left to do of an earlier run is not done to this one
            running = true;
        } finally {
            stopping.unlock();
        }
    }

    @Override
    public void initialised(AdminCommands admin, ControllerData data) {
        sgl = switch ((int) IdentifyController.SGLS.get(data.page(), 0) & 3) {
            case 1 -> DataPointer.Sgl.ANY;
            case 2 -> DataPointer.Sgl.DWORDS;
            default -> DataPointer.Sgl.NONE;
        };
        if (data.oacs(DoorbellBuffers.OACS)) {
            doorbells.enable(admin, consumerIndex(), controller);
        }
        enableControllerMemory();
    }

    /// Adds what its queue pairs have counted to the sums of their threads.
    void addCounters(Map<String, Map<String, Object>> byThread) {
        queuePairs.forEach(queuePair -> queuePair.counters().addTo(
                PcieCounters.sumsOf(byThread, queuePair.threadName())));
    }

    /// A queue pair is closed.
    void forget(PcieQueuePair queuePair) {
        queuePairs.remove(queuePair);
    }

    private void enableControllerMemory() {
        try {
            controllerMemory.enable(device, registers, cap);
        } catch (InternalError fault) {
            throw unreachable(fault);
        } catch (Exception e) {
            transport.log().notice("%s: its memory buffer is not used: %s", controller.name(), e.getMessage());
        }
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    /// Disables the controller; one that does not obey is reset by the bus, and one that cannot be is cut off from memory.
    @Override
    public void stop() {
        stop(run);
    }

    private void stop(int since) {
        stopping.lock();
        try {
            if (running && run == since) {
                if (!disable()) {
                    reset();
                }
                running = false;
            }
        } finally {
            stopping.unlock();
        }
    }

    /// The admin queue has failed: stops the device, and ends what it was asked there. On the admin queue's thread.
    void letGo() {
        int since = run;
        controller.driver().context().reactors().control().fromReactor(() -> {
            stop(since);
            adminQueue.abandon(since);
        });
    }

    /// What happens to one that is disabled before it has become ready is not defined (base specification 2.0, 3.1.3.5).
    private boolean disable() {
        long deadline = System.nanoTime() + Math.max(1, Cap.to(cap)) * UNIT_MILLIS * 1_000_000;
        try {
            int cc = registers.read32(ControllerProperty.CC);
            if (cc == -1) {
                isGone("its registers read all ones: the device is gone");
                return true;
            }
            if (Cc.enabled(cc) && !isReady(true, deadline)) {
                return false;
            }
            registers.write32(ControllerProperty.CC, cc & ~Cc.EN);
            return isReady(false, deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the bus does it at once
        } catch (InternalError fault) {
            isGone(UNREACHABLE);
        }
        return false;
    }

    /// Waits for CSTS.RDY to be that; one that is gone or reports a fatal error is not waited for.
    private boolean isReady(boolean ready, long deadline) throws InterruptedException {
        while (System.nanoTime() - deadline < 0) {
            int csts = registers.read32(ControllerProperty.CSTS);
            if (Csts.gone(csts) || Csts.ready(csts) == ready || ready && Csts.fatal(csts)) {
                return true;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return false;
    }

    private void reset() {
        queuePairs.forEach(PcieQueuePair::quiesce); // an access to registers would wait for the end of the reset
        try {
            device.reset();
        } catch (Exception e) {
            transport.log().warn("%s: cannot be reset (%s), and is cut off from memory", controller.name(),
                    e.getMessage());
            try {
                device.cutOff();
            } catch (Exception unreachable) {
                isGone("it can neither be reset nor cut off from memory: " + unreachable.getMessage());
            }
        }
    }

    /// Data goes by pages through memory of the transport's own if it must, but no more than that.
    @Override
    public long maxTransferBytes() {
        return PcieQueuePair.MAX_TRANSFER_BYTES;
    }

    @Override
    public int dataAlignment() {
        return 4;
    }

    @Override
    public Optional<String> gone() {
        return gone.isEmpty() ? Optional.empty() : Optional.of(gone);
    }

    @Override
    public void close() {
        doorbells.close();
        controllerMemory.close();
        if (device != null) {
            try {
                transport.container().close(device);
            } catch (Exception e) {
                transport.log().warn("%s: not closed in order: %s", controller.name(), e.getMessage());
            }
            device = null;
        }
        transport.forget(this);
    }

    @Override
    public String toString() {
        return controller.name();
    }
}
