package io.spindrift.nvmf.engine;

import io.spindrift.framework.log.LogFlag;
import io.spindrift.nvmf.ControllerReport;
import io.spindrift.nvmf.ControllerReport.QueuePairReport;
import io.spindrift.nvmf.NvmfEngine;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.reservation.Notice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The controllers of all targets of an application, and how changes reach them. Any thread; what waits, on the control path.
public final class TargetEngine implements NvmfEngine {
    private static final long POLL_MILLIS = 10;

    private final ConcurrentHashMap<NvmfSubsystem, ControllerTable> tables = new ConcurrentHashMap<>();

    private final TargetResources resources;
    private final LogFlag flag;

    /// Without controllers; transports use `resources`.
    public TargetEngine(TargetResources resources) {
        this.resources = resources;
        this.flag = resources.log().flag("nvmf");
    }

    /// Logs what a reader of the topic `nvmf` wants to know about hosts and controllers.
    void detail(String format, Object... arguments) {
        resources.log().debug(flag, format, arguments);
    }

    /// What transports use.
    public TargetResources resources() {
        return resources;
    }

    /// For a subsystem that admits hosts: a table is made if there is none.
    ControllerTable table(NvmfSubsystem subsystem) {
        return tables.computeIfAbsent(subsystem, ControllerTable::new);
    }

    /// The controllers of a subsystem; none if it admits no hosts.
    List<Controller> all(NvmfSubsystem subsystem) {
        ControllerTable table = tables.get(subsystem);
        return table == null ? List.of() : table.all();
    }

    @Override
    public void namespaceChanged(NvmfSubsystem subsystem, long nsid) {
        for (Controller controller : all(subsystem)) {
            controller.thread().send(() -> controller.events().namespaceChanged(nsid));
        }
    }

    @Override
    public void anaChanged(NvmfSubsystem subsystem, NvmfListener listener) {
        for (Controller controller : all(subsystem)) {
            if (controller.admin().listen().equals(listener.address())) {
                controller.thread().send(() -> controller.events().anaChanged());
            }
        }
    }

    @Override
    public void discoveryChanged(NvmfTarget target, Optional<String> hostNqn) {
        tables.forEach((subsystem, table) -> {
            if (subsystem.target() == target && subsystem.subtype() == NvmfSubsystem.Subtype.DISCOVERY) {
                for (Controller controller : table.all()) {
                    if (hostNqn.isEmpty() || hostNqn.get().equals(controller.hostNqn())) {
                        controller.thread().send(() -> controller.events().discoveryChanged());
                    }
                }
            }
        });
    }

    @Override
    public void reservationNotice(NvmfSubsystem subsystem, long nsid, Notice notice) {
        for (Controller controller : all(subsystem)) {
            if (controller.hostId().equals(notice.hostId()) && subsystem.view().find(nsid)
                    .filter(namespace -> namespace.visibleTo(controller.hostNqn())).isPresent()) {
                controller.thread().run(() -> controller.onReservationNotice(nsid, notice.type()));
            }
        }
    }

    @Override
    public void disconnectAll(NvmfSubsystem subsystem) {
        ControllerTable table = tables.get(subsystem);
        if (table == null) {
            return;
        }
        try {
            table.close();
            table.all().forEach(TargetEngine::end);
        } finally {
            tables.remove(subsystem);
        }
    }

    /// Returns when it is gone.
    private static void end(Controller controller) {
        controller.thread().callAsync(reply -> controller.onEnd(() -> reply.complete(null)));
    }

    @Override
    public void disconnectHost(NvmfSubsystem subsystem, String hostNqn, long timeoutMillis) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        for (Controller controller : ofHost(subsystem, hostNqn)) {
            controller.thread().send(() -> controller.onEnd(() -> {}));
        }
        while (!ofHost(subsystem, hostNqn).isEmpty()) {
            if (timeoutMillis > 0 && System.nanoTime() - deadline > 0) {
                throw new TimeoutException("timeout_ms=" + timeoutMillis + ": controllers of host " + hostNqn
                        + " are still there: " + ofHost(subsystem, hostNqn).size());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private List<Controller> ofHost(NvmfSubsystem subsystem, String hostNqn) {
        return all(subsystem).stream().filter(controller -> controller.hostNqn().equals(hostNqn)).toList();
    }

    @Override
    public void disconnectListener(NvmfSubsystem subsystem, NvmfListener listener) {
        for (Controller controller : all(subsystem)) {
            controller.thread().run(() -> controller.onListenerRemoved(listener.address()));
        }
    }

    @Override
    public List<ControllerReport> controllers(NvmfSubsystem subsystem) {
        return all(subsystem).stream()
                .map(controller -> controller.thread().<ControllerReport, RuntimeException>call(controller::onReport))
                .toList();
    }

    @Override
    public List<QueuePairReport> queuePairs(NvmfSubsystem subsystem) {
        List<QueuePairReport> reports = new ArrayList<>();
        for (Controller controller : all(subsystem)) {
            reports.addAll(controller.thread()
                    .<List<QueuePairReport>, RuntimeException>call(controller::onQueueReports));
        }
        return reports;
    }
}
