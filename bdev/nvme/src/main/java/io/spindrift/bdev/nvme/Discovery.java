package io.spindrift.bdev.nvme;

import io.spindrift.framework.log.Log;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.DiscoveryPage;
import io.spindrift.nvme.DiscoveryRecord;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// A discovery service that is followed: what its log names is attached, and what it names no more is detached.
///
/// The subsystems are called NAME0, NAME1, ... in the order in which they were found; several entries of one are paths to it.
/// On control threads.
final class Discovery implements ControllerListener {
    private static final long SECOND = 1_000_000_000L;
    private static final long RETRY_SECONDS = 1;

    private final NvmeBdevs bdevs;
    private final DiscoveryRpcs.StartParams params;
    private final TransportId id;
    private final PathSettings settings;
    private final Pause pause;
    private final ReentrantLock lock = new ReentrantLock();
    /// The names of subsystems, by their NQN.
    private final Map<String, String> names = new HashMap<>();
    private final Set<TransportId> attached = new LinkedHashSet<>();
    private volatile List<TransportId> found = List.of();
    private volatile Optional<NvmeController> controller = Optional.empty();
    private volatile boolean stopped;
    private int nextNumber;

    Discovery(NvmeBdevs bdevs, DiscoveryRpcs.StartParams params, PathSettings settings) {
        this.bdevs = bdevs;
        this.params = params;
        this.id = params.id();
        this.settings = settings;
        this.pause = new Pause(bdevs.reactors().appThread());
    }

    String name() {
        return params.name();
    }

    TransportId id() {
        return id;
    }

    /// The subsystems and services that the log named last.
    List<TransportId> found() {
        return found;
    }

    /// What starts it again.
    DiscoveryRpcs.StartParams params() {
        return params.filled(settings);
    }

    private Log log() {
        return bdevs.log();
    }

    // ---- connecting -------------------------------------------------------------------------------------------

    /// Connects to the service and attaches what it names; tries for `limitMillis`, 0 for one attempt.
    void start(long limitMillis) throws Exception {
        long began = pause.now();
        while (true) {
            try {
                connect();
                return;
            } catch (Exception e) {
                if (stopped || pause.now() - began + RETRY_SECONDS * SECOND > limitMillis * 1_000_000
                        || !pause.await(RETRY_SECONDS * SECOND)) {
                    throw e;
                }
            }
        }
    }

    private void connect() throws Exception {
        lock.lock();
        try {
            if (stopped) {
                return;
            }
            NvmeController made = bdevs.driver().connect(id, settings.driver(), this);
            controller = Optional.of(made);
            boolean followed = false;
            try {
                apply(DiscoveryPage.read(made));
                followed = true;
            } finally {
                if (!followed) {
                    made.close(); // the caller tries another
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Follows it no more, and detaches what it has attached.
    void stop() {
        stopped = true;
        pause.cancel();
        List<TransportId> leaving;
        lock.lock();
        try {
            controller.ifPresent(NvmeController::close);
            leaving = List.copyOf(attached);
            attached.clear();
        } finally {
            lock.unlock();
        }
        leaving.forEach(this::detach);
    }

    @Override
    public void discoveryLogChanged(NvmeController changed) {
        lock.lock();
        try {
            if (!stopped) {
                apply(DiscoveryPage.read(changed));
            }
        } catch (RuntimeException e) {
            log().warn("discovery %s: %s", name(), e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    /// Connects again, at intervals, as long as it takes: what is attached stays so meanwhile.
    @Override
    public void failed(NvmeController failed, String reason) {
        if (stopped || controller.filter(present -> present == failed).isEmpty()) {
            return; // of one that is replaced, or that was never followed
        }
        log().warn("discovery %s: %s", name(), reason);
        bdevs.reactors().control().submit(() -> {
            failed.close();
            String told = "";
            while (!stopped && pause.await(RETRY_SECONDS * SECOND)) {
                try {
                    connect();
                    break;
                } catch (Exception e) {
                    if (!told.equals(String.valueOf(e.getMessage()))) {
                        told = String.valueOf(e.getMessage());
                        log().notice("discovery %s: %s", name(), told);
                    }
                    controller.ifPresent(NvmeController::close);
                }
            }
            return null;
        });
    }

    // ---- attaching --------------------------------------------------------------------------------------------

    private void apply(DiscoveryPage page) {
        List<TransportId> named = new ArrayList<>();
        Set<TransportId> subsystems = new LinkedHashSet<>();
        for (DiscoveryRecord record : page.records()) {
            record.transportId().ifPresent(each -> {
                named.add(each);
                if (record.subtype() == DiscoveryEntry.SUBTYPE_NVM) {
                    subsystems.add(each);
                }
            });
        }
        found = List.copyOf(named);
        for (TransportId gone : List.copyOf(attached)) {
            if (!subsystems.contains(gone)) {
                attached.remove(gone);
                // waits until its bdevs are closed: not here
                bdevs.reactors().control().submit(() -> {
                    detach(gone);
                    return null;
                });
            }
        }
        subsystems.stream().filter(each -> !attached.contains(each)).forEach(this::attach);
    }

    private void attach(TransportId subsystem) {
        String called = names.computeIfAbsent(subsystem.subnqn(), _ -> name() + nextNumber++);
        try {
            bdevs.attach(called, subsystem, settings, true);
            attached.add(subsystem);
        } catch (Exception e) {
            log().warn("discovery %s: %s at %s:%s is not attached: %s", name(), subsystem.subnqn(),
                    subsystem.traddr(), subsystem.trsvcid(), e.getMessage());
        }
    }

    private void detach(TransportId subsystem) {
        try {
            bdevs.detach(names.get(subsystem.subnqn()), (each, _) -> each.equals(subsystem));
        } catch (Exception e) {
            log().notice("discovery %s: %s", name(), e.getMessage()); // it is lost, or was detached by hand
        }
    }
}
