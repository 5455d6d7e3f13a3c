package io.spindrift.nvme.pcie;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Csts;
import java.util.concurrent.TimeUnit;

/// Notices that a device is gone, is asked back by the kernel, or has failed: of these no completion tells.
///
/// On the admin queue's thread.
final class DeviceWatch {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PcieController controller;
    private final IoThread thread;
    private final PcieQueuePair adminQueue;
    private Poller status;
    /// Null if the kernel makes no such requests.
    private Poller request;

    DeviceWatch(PcieController controller, IoThread thread, PcieQueuePair adminQueue) {
        this.controller = controller;
        this.thread = thread;
        this.adminQueue = adminQueue;
    }

    void begin() {
        status = thread.addTimedPoller("nvme_pcie_status", this::look, PERIOD_NANOS);
        int event = controller.device().requestEvent();
        if (event >= 0) {
            request = thread.addFdPoller("nvme_pcie_request", event, () -> {
                lost("the kernel asks for the device back: it is being removed, or unbound");
                return 1;
            });
        }
    }

    private int look() {
        try {
            return lookAtStatus();
        } catch (InternalError e) { // what the JVM makes of a fault in mapped memory
            lost(PcieController.UNREACHABLE);
            return 1;
        }
    }

    private int lookAtStatus() {
        int csts = controller.registers().read32(ControllerProperty.CSTS);
        if (Csts.gone(csts)) {
            lost("its registers read all ones: the device is gone");
            return 1;
        }
        if (Csts.fatal(csts)) {
            adminQueue.fail("it reports a fatal error (CSTS.CFS)");
            return 1;
        }
        return 0;
    }

    /// The device cannot be used any more, for the reason in words.
    void lost(String reason) {
        controller.isGone(reason);
        adminQueue.fail(reason);
    }

    void end() {
        if (status != null) {
            status.unregister();
            status = null;
        }
        if (request != null) {
            request.unregister();
            request = null;
        }
    }
}
