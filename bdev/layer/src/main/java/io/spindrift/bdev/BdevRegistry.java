package io.spindrift.bdev;

import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The block devices of one application: who registers, finds, opens, claims and removes them.
///
/// Any thread but a reactor's, except [#find]; setup failures are [ErrnoException]s.
public final class BdevRegistry implements AutoCloseable {
    private static final long ZERO_BYTES = 1 << 20;

    private final Reactors reactors;
    private final Notifications notifications;
    private final Memory memory;
    private final BufferPools pools;
    private final BdevOptions options;
    private final Consumer<String> detail;
    private final MemoryRegion zeroRegion;
    private final IoVector zeroes = new IoVector(1);
    private final IoBudget budget;
    private final Map<String, Bdev> byName = new ConcurrentHashMap<>();
    /// In order of registration; guarded by this.
    private final Set<Bdev> bdevs = new LinkedHashSet<>();
    private final Map<Bdev, CountDownLatch> removals = new HashMap<>();
    private final BdevMonitor monitor = new BdevMonitor();
    /// Names to examine when they appear, where modules do not by themselves; guarded by this.
    private final Set<String> examineByHand = new HashSet<>();
    /// One for each thread that has channels; a thread adds and removes its own. An array, which the data path can go
    /// through without an iterator.
    private final AtomicReference<BdevThread[]> threads = new AtomicReference<>(new BdevThread[0]);
    private final List<BdevModule> modules = new ArrayList<>();
    /// Those that have begun and not ended.
    private final Set<CountDownLatch> examinations = ConcurrentHashMap.newKeySet();

    /// A registry without devices. `pools` are for bounce buffers.
    public BdevRegistry(Reactors reactors, Notifications notifications, Memory memory, BufferPools pools,
            BdevOptions options) {
        this(reactors, notifications, memory, pools, options, _ -> {});
    }

    /// As the other; `detail` is told what happens to devices.
    BdevRegistry(Reactors reactors, Notifications notifications, Memory memory, BufferPools pools, BdevOptions options,
            Consumer<String> detail) {
        this.detail = detail;
        this.reactors = reactors;
        this.notifications = notifications;
        this.memory = memory;
        this.pools = pools;
        this.options = options;
        this.budget = new IoBudget(options.ioPoolSize());
        this.zeroRegion = memory.allocate("bdev zeroes", ZERO_BYTES);
        this.zeroes.set(zeroRegion, 0, ZERO_BYTES);
        pools.registerModule("bdev");
        List.of("bdev_register", "bdev_unregister", "bdev_resize").forEach(notifications::registerType);
    }

    /// Frees the registry's memory; all devices are gone.
    @Override
    public void close() {
        memory.free(zeroRegion);
    }

    /// Memory that stays zero, for emulated write-zeroes. Read by all threads at once.
    IoVector zeroes() {
        return zeroes;
    }

    public Reactors reactors() {
        return reactors;
    }

    public BdevOptions options() {
        return options;
    }

    /// Statistics, histograms and queue depths.
    public BdevMonitor monitor() {
        return monitor;
    }

    IoBudget budget() {
        return budget;
    }

    // ---- registering ------------------------------------------------------------------------------------------

    /// Makes a device known. EEXIST if its name, UUID or an alias is taken; then nothing has changed.
    public Bdev register(BdevModule module, BdevBackend backend, BdevRegistration registration) {
        UUID uuid = registration.uuid().orElseGet(UUID::randomUUID);
        List<String> aliases = new ArrayList<>(registration.aliases());
        aliases.addFirst(uuid.toString());
        Bdev bdev = new Bdev(this, module, backend, registration, uuid, aliases);
        synchronized (this) {
            refuseTaken("name", bdev.name());
            aliases.forEach(alias -> refuseTaken(alias.equals(uuid.toString()) ? "uuid" : "alias", alias));
            byName.put(bdev.name(), bdev);
            aliases.forEach(alias -> byName.put(alias, bdev));
            bdevs.add(bdev);
            notifyAll();
        }
        detail.accept(bdev.name() + " registered by module " + module.name() + ": " + bdev.numBlocks() + " blocks of "
                + bdev.blockSize() + " bytes");
        notifications.send("bdev_register", bdev.name());
        if (options.autoExamine() || isToBeExamined(bdev)) {
            examine(bdev);
        }
        return bdev;
    }

    private void refuseTaken(String what, String name) {
        Bdev other = byName.get(name);
        if (other != null) {
            throw new ErrnoException(Errno.EEXIST, what + " '" + name + "' is taken by the bdev " + other.name());
        }
    }

    /// Tells the holders that `bdev` goes away, waits until all have closed it, and destroys it.
    public void unregister(Bdev bdev) throws Exception {
        if (!beginRemoval(bdev)) {
            throw new ErrnoException(Errno.EBUSY, "bdev " + bdev.name() + " is being removed already");
        }
        finishRemoval(bdev);
    }

    /// As [#unregister] for every device, the youngest first; waits for those that others are removing.
    public void unregisterAll() throws Exception {
        for (Bdev bdev : bdevs().reversed()) {
            if (beginRemoval(bdev)) {
                finishRemoval(bdev);
            } else {
                bdev.removed.await();
            }
        }
    }

    /// False if the removal has begun already.
    private synchronized boolean beginRemoval(Bdev bdev) {
        if (bdev.state != Bdev.State.READY) {
            return false;
        }
        bdev.state = Bdev.State.REMOVING;
        CountDownLatch gone = new CountDownLatch(1);
        removals.put(bdev, gone);
        if (bdev.descriptors.isEmpty()) {
            gone.countDown();
        } else {
            bdev.descriptors.forEach(BdevDescriptor::tellRemoved);
        }
        return true;
    }

    private void finishRemoval(Bdev bdev) throws Exception {
        try {
            awaitClosed(bdev);
            remove(bdev);
        } finally {
            bdev.removed.countDown();
        }
    }

    private void awaitClosed(Bdev bdev) throws InterruptedException {
        CountDownLatch gone;
        synchronized (this) {
            gone = removals.get(bdev);
        }
        gone.await();
    }

    private void remove(Bdev bdev) throws Exception {
        synchronized (this) {
            bdev.state = Bdev.State.REMOVED;
            removals.remove(bdev);
            bdevs.remove(bdev);
            byName.remove(bdev.name());
            bdev.aliases().forEach(byName::remove);
        }
        monitor.forget(bdev);
        detail.accept(bdev.name() + " unregistered");
        notifications.send("bdev_unregister", bdev.name());
        bdev.backend().destroy();
    }

    /// Gives `bdev` a new size and tells its holders. EBUSY if it would shrink while it is open.
    public void resize(Bdev bdev, long numBlocks) {
        synchronized (this) {
            if (numBlocks < bdev.numBlocks() && !bdev.descriptors.isEmpty()) {
                throw new ErrnoException(Errno.EBUSY, "bdev " + bdev.name() + " is open and cannot shrink from "
                        + bdev.numBlocks() + " to " + numBlocks + " blocks");
            }
            bdev.numBlocks(numBlocks);
            bdev.descriptors.forEach(BdevDescriptor::tellResized);
        }
        detail.accept(bdev.name() + " has " + numBlocks + " blocks now");
        notifications.send("bdev_resize", bdev.name());
    }

    // ---- finding and opening ----------------------------------------------------------------------------------

    /// The device with this name, alias or UUID text.
    public Optional<Bdev> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// As [#find], or ENODEV with a sentence.
    public Bdev get(String name) {
        Bdev bdev = byName.get(name);
        if (bdev == null) {
            throw new ErrnoException(Errno.ENODEV, "there is no bdev '" + name + "'");
        }
        return bdev;
    }

    /// As [#get], but waits for the device to appear, `millis` at most.
    public Bdev await(String name, long millis) throws InterruptedException {
        long end = System.nanoTime() + Math.min(millis, Long.MAX_VALUE / 2_000_000) * 1_000_000;
        synchronized (this) {
            while (!byName.containsKey(name)) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
        }
        return get(name);
    }

    /// All devices, oldest first.
    public synchronized List<Bdev> bdevs() {
        return List.copyOf(bdevs);
    }

    /// Opens a device. `events` are told on `eventThread`. ENODEV if there is none or it goes away, EPERM if it is to be
    /// written and another module has claimed it.
    public BdevDescriptor open(String name, boolean writable, IoThread eventThread, BdevEvents events) {
        synchronized (this) {
            Bdev bdev = get(name);
            if (bdev.removing()) {
                throw new ErrnoException(Errno.ENODEV, "bdev '" + name + "' is being removed");
            }
            if (writable && bdev.claimType() != ClaimType.NONE) {
                throw new ErrnoException(Errno.EPERM, "bdev '" + name + "' cannot be opened for writing: the module "
                        + bdev.claimedBy() + " has claimed it (" + bdev.claimType().text() + ")");
            }
            BdevDescriptor descriptor = new BdevDescriptor(bdev, writable, eventThread, events);
            bdev.descriptors.add(descriptor);
            detail.accept(name + " opened for " + (writable ? "writing" : "reading"));
            return descriptor;
        }
    }

    void closed(BdevDescriptor descriptor) {
        synchronized (this) {
            Bdev bdev = descriptor.bdev();
            bdev.descriptors.remove(descriptor);
            detail.accept(bdev.name() + " closed");
            CountDownLatch gone = removals.get(bdev);
            if (gone != null && bdev.descriptors.isEmpty()) {
                gone.countDown();
            }
        }
    }

    /// Claims an open device for `module`. EPERM if it is claimed, or if others have it open for writing.
    public void claim(BdevDescriptor descriptor, ClaimType type, BdevModule module) {
        synchronized (this) {
            Bdev bdev = descriptor.bdev();
            if (bdev.claimType() != ClaimType.NONE) {
                throw new ErrnoException(Errno.EPERM, "bdev '" + bdev.name() + "' is claimed by the module "
                        + bdev.claimedBy());
            }
            for (BdevDescriptor other : bdev.descriptors) {
                if (other != descriptor && other.writable()) {
                    throw new ErrnoException(Errno.EPERM, "bdev '" + bdev.name()
                            + "' cannot be claimed: it is open for writing elsewhere");
                }
            }
            bdev.claim = new Bdev.Claim(type, module.name());
            detail.accept(bdev.name() + " claimed by module " + module.name());
        }
    }

    /// Ends a claim of [#claim].
    public synchronized void releaseClaim(Bdev bdev) {
        bdev.claim = Bdev.Claim.NONE;
    }

    // ---- examining --------------------------------------------------------------------------------------------

    /// Adds a module, which examines the devices that exist and those to come.
    public void add(BdevModule module) {
        List<Bdev> present;
        synchronized (this) {
            modules.add(module);
            present = List.copyOf(bdevs);
        }
        if (options.autoExamine()) {
            present.forEach(bdev -> examine(bdev, module));
        }
    }

    public synchronized List<BdevModule> modules() {
        return List.copyOf(modules);
    }

    /// Has every module examine the device with this name or alias, now or when it appears. EINVAL if modules examine
    /// every device by themselves.
    public void examineByHand(String name) {
        if (options.autoExamine()) {
            throw new ErrnoException(Errno.EINVAL, "name='" + name
                    + "': bdevs are examined as they appear; bdev_set_options --no-auto-examine changes that");
        }
        synchronized (this) {
            examineByHand.add(name);
        }
        find(name).ifPresent(this::examine);
    }

    private synchronized boolean isToBeExamined(Bdev bdev) {
        return examineByHand.contains(bdev.name()) || bdev.aliases().stream().anyMatch(examineByHand::contains);
    }

    /// Has every module look at `bdev`, each in a control task.
    public void examine(Bdev bdev) {
        for (BdevModule module : modules()) {
            examine(bdev, module);
        }
    }

    private void examine(Bdev bdev, BdevModule module) {
        CountDownLatch over = new CountDownLatch(1);
        examinations.add(over);
        reactors.control().submit(() -> {
            try {
                module.examine(bdev);
            } catch (Throwable t) {
                reactors.contain("module " + module.name() + ", examine of " + bdev.name(), t);
            } finally {
                examinations.remove(over);
                over.countDown();
            }
            return null;
        });
    }

    /// Waits until all examinations that have begun are over, and those that they cause.
    public void waitForExamine() throws InterruptedException {
        while (!examinations.isEmpty()) {
            for (CountDownLatch over : examinations) {
                over.await();
            }
        }
    }

    // ---- per thread -------------------------------------------------------------------------------------------

    /// What the channels of `thread` share. On that thread.
    BdevThread threadState(IoThread thread) {
        BdevThread state = Stream.of(threads.get()).filter(known -> known.belongsTo(thread)).findFirst()
                .orElseGet(() -> addState(new BdevThread(thread, pools, options, budget)));
        state.retain();
        return state;
    }

    private BdevThread addState(BdevThread state) {
        threads.updateAndGet(old -> Stream.concat(Stream.of(old), Stream.of(state)).toArray(BdevThread[]::new));
        return state;
    }

    /// A channel lacks pooled I/Os: has those of all threads give back what they need not keep, the sleeping ones too.
    void callPooledIosBack() {
        for (BdevThread state : threads.get()) {
            state.callPooledIosBack();
        }
    }

    /// One of its channels is gone. On its thread.
    void release(BdevThread state) {
        if (state.release()) {
            threads.updateAndGet(old -> Stream.of(old).filter(other -> other != state).toArray(BdevThread[]::new));
        }
    }
}
