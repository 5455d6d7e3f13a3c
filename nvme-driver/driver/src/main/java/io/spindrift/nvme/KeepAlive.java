package io.spindrift.nvme;

import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Nsid;

/// Tells a controller now and then that its host lives, and notices one that does not (base specification 2.0, 3.9). On the
/// admin queue's thread.
final class KeepAlive {
    private final NvmeController controller;
    private final QueuePair queue;
    private Poller poller;
    private NvmeRequest outstanding;
    private long limitNanos;

    KeepAlive(NvmeController controller, QueuePair queue) {
        this.controller = controller;
        this.queue = queue;
    }

    /// `millis` is the Keep Alive Timeout that was agreed upon; 0 for none.
    void begin(long millis) {
        end();
        if (millis > 0) {
            limitNanos = millis * 1_000_000;
            poller = queue.thread().addTimedPoller("nvme_keep_alive", this::beat, limitNanos / 2);
        }
    }

    void end() {
        if (poller != null) {
            poller.unregister();
            poller = null;
        }
    }

    private int beat() {
        if (outstanding != null) {
            long waited = queue.thread().now() - outstanding.submitTick();
            if (waited >= limitNanos) {
                queue.transport().fail("Keep Alive was not answered within " + waited / 1_000_000 + " ms");
            }
            return 0;
        }
        NvmeRequest request = queue.acquire();
        if (request == null) {
            return 0; // others are under way, and have their own limit
        }
        request.begin(AdminOpcode.KEEP_ALIVE, Nsid.NONE);
        outstanding = request;
        if (!queue.submitSetUp(request, this::answered)) { // while the controller is being set up, too
            outstanding = null;
            request.release();
        }
        return 1;
    }

    private void answered(NvmeRequest request) {
        boolean refused = !request.succeeded() && !queue.down();
        outstanding = null;
        request.release();
        if (refused) {
            end(); // the controller knows no such command: silence is found by the connection only
            controller.driver().context().log().notice("%s: Keep Alive is refused and not sent any more",
                    controller.name());
        }
    }
}
