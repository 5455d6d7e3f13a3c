package io.spindrift.bdev.nvme;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.TransportId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;

/// What an application has attached, by name. On control threads.
///
/// Attaching takes turns for each name; nothing that is attached holds up what has another name.
final class NvmeBdevs {
    private final BdevModule module;
    private final BdevModuleContext context;
    private final NvmeDriver driver;
    private final Map<String, AttachedSubsystem> byName = new ConcurrentSkipListMap<>();
    private final Map<String, ReentrantLock> turns = new ConcurrentHashMap<>();
    private volatile NvmeBdevOptions options;

    NvmeBdevs(BdevModule module, BdevModuleContext context, NvmeDriver driver, NvmeBdevOptions options) {
        this.module = module;
        this.context = context;
        this.driver = driver;
        this.options = options;
    }

    BdevModule module() {
        return module;
    }

    BdevRegistry registry() {
        return context.registry();
    }

    Reactors reactors() {
        return context.reactors();
    }

    Log log() {
        return context.log();
    }

    NvmeDriver driver() {
        return driver;
    }

    NvmeBdevOptions options() {
        return options;
    }

    /// For what is attached from now on; EPERM if anything is.
    void options(NvmeBdevOptions changed) {
        if (!byName.isEmpty()) {
            throw new ErrnoException(Errno.EPERM, "options are set before a controller is attached; there are "
                    + String.join(", ", byName.keySet()));
        }
        options = changed;
    }

    /// All that is attached, by name.
    List<AttachedSubsystem> subsystems() {
        return byName.values().stream().filter(each -> !each.paths().isEmpty()).toList();
    }

    Optional<AttachedSubsystem> find(String name) {
        return Optional.ofNullable(byName.get(name)).filter(each -> !each.paths().isEmpty());
    }

    /// ENODEV if there is none.
    AttachedSubsystem get(String name) {
        return find(name).orElseThrow(
                () -> new ErrnoException(Errno.ENODEV, "there is no NVMe controller named '" + name + "'"));
    }

    /// The bdev with this name; ENODEV if it is none of these.
    NvmeBdev bdev(String name) {
        return context.registry().find(name).map(Bdev::backend).filter(NvmeBdev.class::isInstance)
                .map(NvmeBdev.class::cast).filter(each -> each.owner().belongsTo(this))
                .orElseThrow(() -> new ErrnoException(Errno.ENODEV, "there is no NVMe bdev '" + name + "'"));
    }

    // ---- attaching --------------------------------------------------------------------------------------------

    /// Connects to the controller at `id`, under a name that is new or gets another path by it. Returns its bdevs.
    ///
    /// @throws ErrnoException saying what failed; nothing has changed then
    List<NvmeBdev> attach(String name, TransportId id, PathSettings settings, boolean mayJoin) throws Exception {
        requireTransport(id);
        ReentrantLock turn = turn(name);
        turn.lock();
        try {
            Optional<AttachedSubsystem> present = find(name);
            if (present.isPresent()) {
                refuse(present.get(), id, settings, mayJoin);
                if (!settings.multipath()) {
                    present.get().paths().getFirst().addId(id);
                    return present.get().bdevs();
                }
            }
            AttachedSubsystem subsystem = present.orElseGet(() -> new AttachedSubsystem(this, name));
            ControllerPath path = new ControllerPath(subsystem, driver, id, settings);
            connect(path);
            boolean added = false;
            try {
                subsystem.add(path);
                byName.put(name, subsystem);
                added = true;
            } finally {
                if (!added) {
                    subsystem.remove(path);
                }
            }
            return subsystem.bdevs().stream().filter(each -> each.has(path)).toList();
        } finally {
            turn.unlock();
        }
    }

    private ReentrantLock turn(String name) {
        return turns.computeIfAbsent(name, _ -> new ReentrantLock());
    }

    private void requireTransport(TransportId id) {
        if (driver.transports().stream().noneMatch(each -> each.name().equalsIgnoreCase(id.trtype()))) {
            throw new ErrnoException(Errno.ENODEV, "trtype=" + id.trtype() + " is no transport; there are "
                    + String.join(", ", driver.transports().stream().map(each -> each.name()).toList()));
        }
        if (!id.isPcie() && id.subnqn().isEmpty()) {
            throw new ErrnoException(Errno.EINVAL, "subnqn is missing: over " + id.trtype()
                    + " a controller is one of a subsystem");
        }
    }

    private static void connect(ControllerPath path) throws Exception {
        boolean connected = false;
        try {
            path.connect();
            connected = true;
        } catch (NvmeException e) {
            throw new ErrnoException(Errno.EIO, e.getMessage());
        } finally {
            if (!connected) {
                path.close();
            }
        }
    }

    private static void refuse(AttachedSubsystem present, TransportId id, PathSettings settings, boolean mayJoin) {
        String exists = "a controller named " + present.name() + " exists already";
        if (!mayJoin) {
            throw new ErrnoException(Errno.EALREADY, exists + ", and multipath is disabled");
        }
        for (ControllerPath path : present.paths()) {
            if (path.ids().contains(id) && path.settings().driver().host().equals(settings.driver().host())) {
                throw new ErrnoException(Errno.EALREADY, exists + " with this path");
            }
        }
        ControllerPath first = present.paths().getFirst();
        if (!first.id().subnqn().equals(id.subnqn())) {
            throw new ErrnoException(Errno.EINVAL, exists + ", with another subnqn: " + first.id().subnqn());
        }
        String hostnqn = first.settings().driver().host().nqn();
        if (!hostnqn.equals(settings.driver().host().nqn())) {
            throw new ErrnoException(Errno.EINVAL, exists + ", with another hostnqn: " + hostnqn);
        }
        if (first.settings().multipath() != settings.multipath()) {
            throw new ErrnoException(Errno.EINVAL, exists + ", with multipath="
                    + (first.settings().multipath() ? "multipath" : "failover"));
        }
    }

    // ---- detaching --------------------------------------------------------------------------------------------

    /// Removes the paths of a name that `chosen` matches. Returns when their bdevs are gone that have no other path.
    void detach(String name, BiPredicate<TransportId, PathSettings> chosen) throws Exception {
        AttachedSubsystem subsystem = get(name);
        boolean any = false;
        for (ControllerPath path : List.copyOf(subsystem.paths())) {
            for (TransportId alternate : path.ids().subList(1, path.ids().size())) {
                if (chosen.test(alternate, path.settings())) {
                    path.removeId(alternate);
                    any = true;
                }
            }
            if (chosen.test(path.id(), path.settings())) {
                any = true;
                if (path.ids().size() > 1) {
                    path.leave(path.id());
                } else {
                    subsystem.remove(path);
                }
            }
        }
        if (!any) {
            throw new ErrnoException(Errno.ENXIO, "controller " + name + " has no such path; there are "
                    + subsystem.paths().stream().flatMap(path -> path.ids().stream()).toList());
        }
    }

    /// `subsystem` loses a path, and the name its meaning with the last one; not while another is being attached.
    void removePath(AttachedSubsystem subsystem, ControllerPath path) {
        ReentrantLock turn = turn(subsystem.name());
        turn.lock();
        try {
            subsystem.forget(path);
            if (subsystem.paths().isEmpty()) {
                subsystem.stopWaiting();
                byName.remove(subsystem.name(), subsystem);
            }
        } finally {
            turn.unlock();
        }
    }

    /// Detaches all; their bdevs are gone already.
    void close() {
        List<AttachedSubsystem> ending = new ArrayList<>(byName.values());
        ending.forEach(AttachedSubsystem::stopWaiting);
        ending.forEach(each -> List.copyOf(each.paths()).forEach(each::remove));
        driver.close();
    }
}
