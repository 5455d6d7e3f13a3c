package io.spindrift.nvmf.engine;

import io.spindrift.nvmf.NvmfSubsystem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The controllers of a subsystem by their IDs. Any thread; never blocks.
final class ControllerTable {
    private final NvmfSubsystem subsystem;
    private final ConcurrentSkipListMap<Integer, Controller> controllers = new ConcurrentSkipListMap<>();
    /// Where the search for a free ID begins, so that one that was just given back is not given out again at once.
    private final AtomicInteger next;
    private volatile boolean closed;

    ControllerTable(NvmfSubsystem subsystem) {
        this.subsystem = subsystem;
        this.next = new AtomicInteger(subsystem.options().minCntlid());
    }

    NvmfSubsystem subsystem() {
        return subsystem;
    }

    /// Gives `controller` an ID of its own; false if there is none left, or the subsystem is about to go.
    boolean add(Controller controller) {
        int min = subsystem.options().minCntlid();
        int max = subsystem.options().maxCntlid();
        for (int tries = max - min + 1; tries > 0 && !closed; tries--) {
            int cntlid = next.getAndUpdate(id -> id == max ? min : id + 1);
            controller.cntlid(cntlid);
            if (controllers.putIfAbsent(cntlid, controller) == null) {
                if (closed) { // whoever closed it has not seen this one
                    controllers.remove(cntlid, controller);
                    return false;
                }
                return true;
            }
        }
        return false;
    }

    /// Whether another controller is of the same host and came in through the same listener.
    boolean hasTwin(Controller controller) {
        return controllers.values().stream().anyMatch(other -> other != controller
                && other.hostId().equals(controller.hostId())
                && other.admin().listen().equals(controller.admin().listen()));
    }

    void remove(Controller controller) {
        controllers.remove(controller.cntlid(), controller);
    }

    Optional<Controller> find(int cntlid) {
        return Optional.ofNullable(controllers.get(cntlid));
    }

    /// By ascending ID.
    List<Controller> all() {
        return List.copyOf(controllers.values());
    }

    /// From now on no controller is added.
    void close() {
        closed = true;
    }
}
