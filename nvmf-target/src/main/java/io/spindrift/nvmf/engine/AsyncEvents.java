package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.AsyncEvent;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.feature.AsyncEventConfiguration;
import io.spindrift.nvme.spec.log.Lid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeSet;

/// A controller's Asynchronous Event Requests, and the events that are to be told (base specification 2.0, 5.2). On the
/// controller's thread.
///
/// An event that was told is not told again before its log page was read.
final class AsyncEvents {
    /// One less is AERL of Identify Controller.
    static final int LIMIT = 4;
    /// Entries of the Changed Namespace List; with more, its first is FFFFFFFFh.
    private static final int MAX_CHANGED = 1024;
    private static final int ALWAYS = 0;

    /// The events there are, in the order in which they are told.
    private enum Event {
        NAMESPACE(AsyncEvent.TYPE_NOTICE, AsyncEvent.NOTICE_NAMESPACE_CHANGED, Lid.CHANGED_NAMESPACES,
                AsyncEventConfiguration.NAMESPACE_ATTRIBUTE),
        ANA(AsyncEvent.TYPE_NOTICE, AsyncEvent.NOTICE_ANA_CHANGE, Lid.ANA, AsyncEventConfiguration.ANA_CHANGE),
        DISCOVERY(AsyncEvent.TYPE_NOTICE, AsyncEvent.NOTICE_DISCOVERY_LOG_CHANGED, Lid.DISCOVERY,
                AsyncEventConfiguration.DISCOVERY_LOG_CHANGE),
        /// Has a mask of its own, and no bit in Asynchronous Event Configuration.
        RESERVATION(AsyncEvent.TYPE_IO_COMMAND_SET, AsyncEvent.IO_RESERVATION_LOG_AVAILABLE,
                Lid.RESERVATION_NOTIFICATION, ALWAYS);

        private final int dw0;
        private final int lid;
        private final int enable;

        Event(int type, int info, int lid, int enable) {
            this.dw0 = AsyncEvent.dw0(type, info, lid);
            this.lid = lid;
            this.enable = enable;
        }
    }

    private static final Event[] EVENTS = Event.values();

    private final Controller controller;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final boolean[] pending = new boolean[EVENTS.length];
    private final boolean[] told = new boolean[EVENTS.length];
    private final TreeSet<Long> changedNamespaces = new TreeSet<>();

    AsyncEvents(Controller controller) {
        this.controller = controller;
    }

    /// The host waits for an event.
    void add(Request request) {
        if (requests.size() == LIMIT) {
            request.complete(Status.withDnr(CommandSpecificStatus.ASYNC_EVENT_REQUEST_LIMIT_EXCEEDED));
            return;
        }
        requests.add(request);
        tell();
    }

    /// Ends the request with this command identifier, if one waits.
    boolean abort(int cid) {
        for (Request request : requests) {
            if (request.cid() == cid) {
                requests.remove(request);
                request.complete(GenericStatus.ABORT_REQUESTED);
                return true;
            }
        }
        return false;
    }

    void namespaceChanged(long nsid) {
        changedNamespaces.add(nsid);
        happened(Event.NAMESPACE);
    }

    void anaChanged() {
        happened(Event.ANA);
    }

    void discoveryChanged() {
        happened(Event.DISCOVERY);
    }

    void reservationLogAvailable() {
        happened(Event.RESERVATION);
    }

    private void happened(Event event) {
        if (event.enable == ALWAYS || (controller.features().asyncEvents() & event.enable) != 0) {
            pending[event.ordinal()] = true;
            tell();
        }
    }

    private void tell() {
        for (Event event : EVENTS) {
            int index = event.ordinal();
            if (pending[index] && !told[index] && !requests.isEmpty()) {
                pending[index] = false;
                told[index] = true;
                requests.remove().complete(Status.SUCCESS, event.dw0);
            }
        }
    }

    /// A log page was read without Retain Asynchronous Event.
    void logRead(int lid) {
        for (Event event : EVENTS) {
            if (event.lid == lid) {
                told[event.ordinal()] = false;
            }
        }
        tell();
    }

    /// The namespaces that have changed since they were taken, ascending; FFFFFFFFh alone if they are too many.
    long[] changedNamespaces() {
        return changedNamespaces.size() > MAX_CHANGED
                ? new long[]{Nsid.BROADCAST}
                : changedNamespaces.stream().mapToLong(Long::longValue).toArray();
    }

    long[] takeChangedNamespaces() {
        long[] changed = changedNamespaces();
        changedNamespaces.clear();
        return changed;
    }

    /// The controller is reset, or its admin queue is over: requests end, and events are forgotten.
    void drop() {
        while (!requests.isEmpty()) {
            requests.remove().complete(GenericStatus.ABORTED_SQ_DELETION);
        }
        for (Event event : EVENTS) {
            pending[event.ordinal()] = false;
            told[event.ordinal()] = false;
        }
        changedNamespaces.clear();
    }
}
