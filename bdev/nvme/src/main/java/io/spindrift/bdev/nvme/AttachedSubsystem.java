package io.spindrift.bdev.nvme;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spec.Csi;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/// What was attached under one name: the controllers of a subsystem, and its namespaces as bdevs.
///
/// On control threads. Its lock is never held while it waits for anyone who has a bdev open.
final class AttachedSubsystem {
    private static final String PRODUCT = "NVMe disk";
    private static final long SECOND = 1_000_000_000L;

    private final NvmeBdevs all;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<ControllerPath> paths = new CopyOnWriteArrayList<>();
    /// By NSID.
    private final Map<Long, NvmeBdev> bdevs = new TreeMap<>();
    private final Pause changes;

    AttachedSubsystem(NvmeBdevs all, String name) {
        this.all = all;
        this.name = name;
        this.changes = new Pause(all.reactors().appThread());
    }

    String name() {
        return name;
    }

    Reactors reactors() {
        return all.reactors();
    }

    boolean belongsTo(NvmeBdevs others) {
        return all == others;
    }

    NvmeBdevOptions options() {
        return all.options();
    }

    private BdevRegistry registry() {
        return all.registry();
    }

    private BdevModule module() {
        return all.module();
    }

    private Log log() {
        return all.log();
    }

    /// Oldest first.
    List<ControllerPath> paths() {
        return paths;
    }

    List<NvmeBdev> bdevs() {
        lock.lock();
        try {
            return List.copyOf(bdevs.values());
        } finally {
            lock.unlock();
        }
    }

    // ---- paths come and go ------------------------------------------------------------------------------------

    /// Takes a controller that is connected, and makes bdevs of its namespaces.
    ///
    /// @throws ErrnoException EINVAL if a namespace has other identifiers than that of the same NSID which is here already,
    ///     or takes less at once; the caller removes the path then
    void add(ControllerPath path) {
        lock.lock();
        try {
            for (NvmeNamespace namespace : path.controller().namespaces()) {
                Optional.ofNullable(bdevs.get(namespace.nsid()))
                        .ifPresent(known -> requireSame(known, path, namespace));
            }
            paths.add(path);
        } finally {
            lock.unlock();
        }
        refresh(path);
    }

    private void requireSame(NvmeBdev known, ControllerPath path, NvmeNamespace namespace) {
        if (!isSame(known, namespace)) {
            throw new ErrnoException(Errno.EINVAL, "namespace " + namespace.nsid() + " of the new path to " + name
                    + " has other identifiers than that of bdev " + known.name());
        }
        if (known.format().equals(namespace.format())) {
            NamespaceShape.misfit(known.geometry(), path.controller(), namespace).ifPresent(reason -> {
                throw new ErrnoException(Errno.EINVAL, "namespace " + namespace.nsid() + " of the new path to " + name
                        + " cannot take what bdev " + known.name() + " does: " + reason);
            });
        }
    }

    private static boolean isSame(NvmeBdev known, NvmeNamespace namespace) {
        return known.paths().isEmpty() || known.paths().getFirst().namespace().sameAs(namespace);
    }

    /// Removes a path: with the last one of a bdev the bdev goes, when all have closed it. Then the controller is closed.
    void remove(ControllerPath path) {
        if (!path.beginRemoval()) {
            awaitRemoved(path);
            return;
        }
        try {
            removeFirst(path);
        } finally {
            path.endRemoval();
        }
    }

    private static void awaitRemoved(ControllerPath path) {
        try {
            path.awaitRemoved();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the program ends
        }
    }

    private void removeFirst(ControllerPath path) {
        List<NvmeBdev> orphans = new ArrayList<>();
        lock.lock();
        try {
            for (NvmeBdev bdev : bdevs.values()) {
                if (isOnlyPath(bdev, path)) {
                    orphans.add(bdev);
                } else {
                    withdraw(bdev, path);
                }
            }
        } finally {
            lock.unlock();
        }
        orphans.stream().filter(NvmeBdev::beginRemoval).forEach(this::unregister);
        all.removePath(this, path);
        path.close();
        if (!orphans.isEmpty()) {
            paths.forEach(this::refresh); // others may have come meanwhile
        }
    }

    /// It is no path of this any more. In the turn of its name.
    void forget(ControllerPath path) {
        paths.remove(path);
    }

    /// Has `first` be the first path of `bdev`, if it is one.
    void prefer(NvmeBdev bdev, NamespacePath first) {
        lock.lock();
        try {
            List<NamespacePath> order = new ArrayList<>(bdev.paths());
            if (order.remove(first)) {
                order.addFirst(first);
                bdev.paths(order);
            }
        } finally {
            lock.unlock();
        }
    }

    /// A controller cannot be reached any more.
    void lost(ControllerPath path) {
        path.giveUp();
        remove(path);
    }

    private static boolean isOnlyPath(NvmeBdev bdev, ControllerPath path) {
        return bdev.has(path) && bdev.paths().size() == 1;
    }

    private static void withdraw(NvmeBdev bdev, ControllerPath path) {
        if (bdev.has(path)) {
            bdev.paths(bdev.paths().stream().filter(each -> each.path() != path).toList());
        }
    }

    /// Waits until all have closed it. Not under the lock.
    private void unregister(NvmeBdev bdev) {
        try {
            registry().unregister(bdev.bdev());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the program ends, and removes it
        } catch (ErrnoException others) {
            log().notice("%s", others.getMessage()); // who remove it
        } catch (Exception e) {
            log().error("bdev %s: %s", bdev.name(), e.getMessage());
        }
    }

    /// `bdev` is registered no more.
    void destroyed(NvmeBdev bdev) {
        lock.lock();
        try {
            bdevs.remove(bdev.nsid(), bdev);
        } finally {
            lock.unlock();
        }
    }

    // ---- namespaces come, go and change -----------------------------------------------------------------------

    /// The controller of `path` was connected anew: tells the namespaces that are as they were from those that are not, before
    /// any I/O goes to them. [#refresh(ControllerPath)] does the rest.
    void compare(ControllerPath path) {
        lock.lock();
        try {
            for (NvmeBdev bdev : bdevs.values()) {
                boolean there = isThere(path, bdev);
                bdev.paths().stream().filter(each -> each.path() == path && !there).forEach(NamespacePath::gone);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Has the bdevs be what the controller of `path` says now, and their channels look at it again.
    void refresh(ControllerPath path) {
        List<NvmeBdev> gone = new ArrayList<>();
        lock.lock();
        try {
            if (!paths.contains(path) || path.state() == ControllerPath.State.DELETING) {
                return;
            }
            for (NvmeBdev bdev : bdevs.values()) {
                if (bdev.has(path) && !isThere(path, bdev)) {
                    bdev.paths().stream().filter(each -> each.path() == path).forEach(NamespacePath::gone);
                    if (!isOnlyPath(bdev, path)) {
                        withdraw(bdev, path);
                    } else if (bdev.beginRemoval()) {
                        log().warn("%s: it has no namespace %d like that of bdev %s any more", path.name(), bdev.nsid(),
                                bdev.name());
                        gone.add(bdev);
                    }
                }
            }
            for (NvmeNamespace namespace : path.controller().namespaces()) {
                refreshOrTell(path, namespace);
            }
            applyAna(path);
        } finally {
            lock.unlock();
        }
        path.publish();
        if (!gone.isEmpty()) {
            reactors().control().submit(() -> {
                gone.forEach(this::unregister);
                paths.forEach(this::refresh); // where another namespace has the number
                return null;
            });
        }
    }

    /// Whether the controller has the namespace that `bdev` stands for, in the form in which it was registered.
    private static boolean isThere(ControllerPath path, NvmeBdev bdev) {
        return path.controller().namespace(bdev.nsid())
                .filter(namespace -> bdev.format().equals(namespace.format()) && isSame(bdev, namespace)
                        && NamespaceShape.misfit(bdev.geometry(), path.controller(), namespace).isEmpty())
                .isPresent();
    }

    /// What is wrong with one namespace is no matter of the others.
    private void refreshOrTell(ControllerPath path, NvmeNamespace namespace) {
        try {
            refresh(path, namespace);
        } catch (RuntimeException e) {
            log().error("%s: namespace %d: %s", path.name(), namespace.nsid(), e);
        }
    }

    private void refresh(ControllerPath path, NvmeNamespace namespace) {
        NvmeBdev bdev = bdevs.get(namespace.nsid());
        if (bdev == null) {
            register(path, namespace);
        } else if (isThere(path, bdev)) {
            if (bdev.has(path)) {
                bdev.paths().stream().filter(each -> each.path() == path).forEach(each -> each.namespace(namespace));
            } else {
                List<NamespacePath> more = new ArrayList<>(bdev.paths());
                more.add(new NamespacePath(path, bdev, namespace));
                bdev.paths(more);
            }
            resize(bdev, namespace);
        } else if (!bdev.has(path)) {
            log().error(
                    "%s: namespace %d is not that of bdev %s: its identifiers, format or limits differ; it is not used",
                    path.name(), namespace.nsid(), bdev.name());
        }
    }

    private void resize(NvmeBdev bdev, NvmeNamespace namespace) {
        if (bdev.bdev().numBlocks() != namespace.blocks()) {
            try {
                registry().resize(bdev.bdev(), namespace.blocks());
            } catch (ErrnoException e) {
                log().warn("%s; I/O beyond %d blocks will fail", e.getMessage(), namespace.blocks());
            }
        }
    }

    private void register(ControllerPath path, NvmeNamespace namespace) {
        if (namespace.csi() != Csi.NVM) {
            log().warn("%s: namespace %d is left out: its command set is %02Xh, not that of NVM", path.name(),
                    namespace.nsid(), namespace.csi());
            return;
        }
        NvmeNamespace.Format format = namespace.format();
        if (format.metadataSize() > 0 && !format.extended() && !path.controller().adminQueue().separateMetadata()) {
            log().warn("%s: namespace %d is left out: its metadata are separate, which %s cannot carry", path.name(),
                    namespace.nsid(), path.id().trtype());
            return;
        }
        NvmeBdev made = new NvmeBdev(this, name + "n" + namespace.nsid(), path, namespace);
        Optional<UUID> uuid = NamespaceUuid.of(namespace, path.controller().data(), options().generateUuids());
        Optional<Bdev> owner = uuid.flatMap(id -> registry().find(id.toString()));
        if (owner.isPresent()) {
            log().notice("%s is registered without its UUID, which is that of bdev %s", made.name(),
                    owner.get().name());
            uuid = Optional.empty();
        }
        try {
            made.registered(registry().register(module(), made, BdevRegistration.of(made.name(), PRODUCT, uuid,
                    namespace.blocks(), made.geometry())));
            bdevs.put(namespace.nsid(), made);
        } catch (ErrnoException e) {
            made.device().unregister();
            log().error("%s: namespace %d: %s", path.name(), namespace.nsid(), e.getMessage());
        }
    }

    // ---- ANA --------------------------------------------------------------------------------------------------

    /// The controller of `path` has read its ANA states.
    void updateAna(ControllerPath path) {
        lock.lock();
        try {
            applyAna(path);
        } finally {
            lock.unlock();
        }
    }

    private void applyAna(ControllerPath path) {
        List<NamespacePath> changing = new ArrayList<>();
        for (NvmeBdev bdev : bdevs.values()) {
            for (NamespacePath each : bdev.paths()) {
                if (each.path() == path) {
                    each.anaState(path.controller().anaState(bdev.nsid()));
                    if (each.anaState() == AnaGroupDescriptor.STATE_CHANGE) {
                        changing.add(each);
                    }
                }
            }
        }
        if (!changing.isEmpty()) {
            awaitChanges(path, changing);
        }
    }

    /// Lets I/O wait for the end of the changes as long as the controller says that they take.
    private void awaitChanges(ControllerPath path, List<NamespacePath> changing) {
        long seconds = Math.max(1, path.anaTransitionSeconds());
        reactors().control().submit(() -> {
            if (changes.await(seconds * SECOND)) {
                changing.forEach(NamespacePath::changesTooLong);
                path.publish();
            }
            return null;
        });
    }

    /// The last path is gone, or the program ends.
    void stopWaiting() {
        changes.cancel();
    }
}
