package io.spindrift.nvme;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.AsyncEvent;
import io.spindrift.nvme.spec.Nsid;

/// Keeps Asynchronous Event Requests with a controller, and passes on what they bring. On the admin queue's thread.
final class AsyncEvents {
    /// What an event is about, for the driver.
    enum Kind {
        NAMESPACES, ANA, DISCOVERY_LOG, OTHER
    }

    private static final int MOST = 4;
    /// A controller that answers with errors or events without end is asked no more until it is connected anew.
    private static final int MOST_ANSWERS = 100_000;

    private final NvmeController controller;
    private final QueuePair queue;
    private boolean ended = true;
    private int answers;

    AsyncEvents(NvmeController controller, QueuePair queue) {
        this.controller = controller;
        this.queue = queue;
    }

    static Kind kind(int dw0) {
        if (AsyncEvent.type(dw0) != AsyncEvent.TYPE_NOTICE) {
            return Kind.OTHER;
        }
        return switch (AsyncEvent.info(dw0)) {
            case AsyncEvent.NOTICE_NAMESPACE_CHANGED -> Kind.NAMESPACES;
            case AsyncEvent.NOTICE_ANA_CHANGE -> Kind.ANA;
            case AsyncEvent.NOTICE_DISCOVERY_LOG_CHANGED -> Kind.DISCOVERY_LOG;
            default -> Kind.OTHER;
        };
    }

    /// Asks for events with as many requests as the controller takes, a few at most.
    void begin(int limit) {
        ended = false;
        answers = 0;
        for (int i = Math.min(limit, MOST); i > 0; i--) {
            NvmeRequest request = queue.acquire();
            if (request != null) {
                ask(request);
            }
        }
    }

    void end() {
        ended = true;
    }

    private void ask(NvmeRequest request) {
        request.begin(AdminOpcode.ASYNC_EVENT_REQUEST, Nsid.NONE);
        if (!request.submit(this::answered)) {
            request.release();
        }
    }

    private void answered(NvmeRequest request) {
        if (ended || !request.succeeded() || ++answers > MOST_ANSWERS) {
            request.release();
            return;
        }
        controller.eventArrived(request.dw0());
        ask(request);
    }
}
