package io.spindrift.nvmf;

import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvmf.spi.NvmfTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// A target: subsystems by their NQN, among them the discovery subsystem, the transports where they can be reached, and a
/// poll group on each of its cores.
///
/// Control path. What is refused throws [RpcException] or [IllegalArgumentException] with a sentence.
public final class NvmfTarget {
    private final String name;
    private final TargetOptions options;
    private final Reactors reactors;
    private final NvmfEngine engine;
    private final NamespaceOpener opener;
    private final TargetListening listening = new TargetListening(this);
    private final List<PollGroup> pollGroups = new ArrayList<>();
    /// Held while subsystems, transports or referrals are added or removed; taken before a subsystem's lock.
    private final ReentrantLock lock = new ReentrantLock(true);
    private final ConcurrentSkipListMap<String, NvmfSubsystem> subsystems = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, NvmfTransport> transports = new ConcurrentSkipListMap<>();
    private final CopyOnWriteArrayList<Referral> referrals = new CopyOnWriteArrayList<>();
    private final AtomicLong generation = new AtomicLong();
    private boolean closed;

    /// A target with its poll groups and its discovery subsystem. [IllegalArgumentException] if the options name a core
    /// that has no reactor.
    NvmfTarget(String name, TargetOptions options, BdevRegistry registry, NvmfEngine engine) {
        this.name = name;
        this.options = options;
        this.reactors = registry.reactors();
        this.engine = engine;
        this.opener = new NamespaceOpener(registry);
        CpuMask cores = options.pollGroups().orElse(reactors.cpuMask());
        for (int core : cores.cores()) {
            if (!reactors.cpuMask().contains(core)) {
                throw new IllegalArgumentException("poll_groups_mask=" + cores + ": core " + core
                        + " is not in the cpumask " + reactors.cpuMask());
            }
        }
        for (int core : cores.cores()) {
            IoThread thread = reactors.createThread(String.format(Locale.ROOT, "%s_poll_group_%03d", name,
                    pollGroups.size()), CpuMask.of(core));
            pollGroups.add(new PollGroup(this, thread));
        }
        add(new NvmfSubsystem(this, Nqn.DISCOVERY, NvmfSubsystem.Subtype.DISCOVERY, SubsystemOptions.DEFAULT, true));
    }

    public String name() {
        return name;
    }

    public TargetOptions options() {
        return options;
    }

    /// One on each of its cores, ascending; they stay the same.
    public List<PollGroup> pollGroups() {
        return List.copyOf(pollGroups);
    }

    /// What runs its controllers.
    public NvmfEngine engine() {
        return engine;
    }

    NamespaceOpener opener() {
        return opener;
    }

    TargetListening listening() {
        return listening;
    }

    // ---- subsystems -------------------------------------------------------------------------------------------

    /// By ascending NQN.
    public List<NvmfSubsystem> subsystems() {
        return List.copyOf(subsystems.values());
    }

    /// The subsystem with this NQN.
    public Optional<NvmfSubsystem> find(String nqn) {
        return Optional.ofNullable(subsystems.get(nqn));
    }

    /// As [#find], or a sentence.
    public NvmfSubsystem get(String nqn) {
        return find(nqn).orElseThrow(() -> RpcException.invalidParams("Subsystem with NQN '" + nqn + "' not found"));
    }

    /// Makes and starts an NVM subsystem.
    public NvmfSubsystem createSubsystem(String nqn, SubsystemOptions subsystemOptions, boolean allowAnyHost) {
        Nqn.check("nqn", nqn);
        lock.lock();
        try {
            requireOpen();
            if (subsystems.containsKey(nqn)) {
                throw new IllegalArgumentException("nqn=" + nqn + " is taken by a subsystem of target " + name);
            }
            if (subsystems.size() >= options.maxSubsystems()) {
                throw new IllegalArgumentException("nqn=" + nqn + ": target " + name + " has " + subsystems.size()
                        + " subsystems, which is its max_subsystems");
            }
            return add(new NvmfSubsystem(this, nqn, NvmfSubsystem.Subtype.NVM, subsystemOptions, allowAnyHost));
        } finally {
            lock.unlock();
        }
    }

    private NvmfSubsystem add(NvmfSubsystem subsystem) {
        subsystem.start();
        subsystems.put(subsystem.nqn(), subsystem);
        return subsystem;
    }

    /// Ends a subsystem's controllers and removes it; returns when its devices are closed.
    public void deleteSubsystem(String nqn) throws Exception {
        NvmfSubsystem subsystem = get(nqn);
        if (subsystem.remove()) {
            subsystems.remove(nqn, subsystem);
        } else {
            throw RpcException.internal("Subsystem with NQN '" + nqn + "' is being deleted already");
        }
    }

    // ---- transports -------------------------------------------------------------------------------------------

    /// By ascending name; one of each kind.
    public List<NvmfTransport> transports() {
        return List.copyOf(transports.values());
    }

    List<String> transportNames() {
        return List.copyOf(transports.keySet());
    }

    /// The transport of this kind, in upper or lower case.
    public Optional<NvmfTransport> transport(String trtype) {
        return Optional.ofNullable(transports.get(trtype.toUpperCase(Locale.ROOT)));
    }

    /// Makes a transport with `maker` and its part on each poll group. [IllegalStateException] if there is one of this kind.
    public NvmfTransport addTransport(String trtype, TransportMaker maker) throws Exception {
        String key = trtype.toUpperCase(Locale.ROOT);
        lock.lockInterruptibly();
        try {
            requireOpen();
            if (transports.containsKey(key)) {
                throw new IllegalStateException(
                        "trtype=" + trtype + ": target " + name + " has this transport already");
            }
            NvmfTransport transport = maker.make();
            boolean complete = false;
            try {
                for (PollGroup group : pollGroups) {
                    group.thread().call(() -> {
                        group.onAddTransport(transport);
                        return null;
                    });
                }
                complete = true;
            } finally {
                if (!complete) {
                    close(transport);
                }
            }
            transports.put(key, transport);
            return transport;
        } finally {
            lock.unlock();
        }
    }

    /// Makes a transport.
    public interface TransportMaker {
        NvmfTransport make() throws Exception;
    }

    private void close(NvmfTransport transport) throws Exception {
        for (PollGroup group : pollGroups) {
            group.thread().run(() -> group.onRemoveTransport(transport));
        }
        transport.close();
    }

    // ---- discovery --------------------------------------------------------------------------------------------

    /// Oldest first.
    public List<Referral> referrals() {
        return List.copyOf(referrals);
    }

    /// Adds a referral; nothing changes if there is one to the same place.
    public void addReferral(Referral referral) {
        lock.lock();
        try {
            if (referrals.stream().noneMatch(other -> other.sameAs(referral.address(), referral.subnqn()))) {
                referrals.add(referral);
                discoveryChanged(Optional.empty());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Removes the referral to this place; false if there is none.
    public boolean removeReferral(TransportAddress address, String subnqn) {
        lock.lock();
        try {
            boolean removed = referrals.removeIf(referral -> referral.sameAs(address, subnqn));
            if (removed) {
                discoveryChanged(Optional.empty());
            }
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /// GENCTR of the discovery log: another number after each change of it. Any thread.
    public long generation() {
        return generation.get();
    }

    void discoveryChanged(Optional<String> hostNqn) {
        generation.incrementAndGet();
        engine.discoveryChanged(this, hostNqn);
    }

    // ---- the rest ---------------------------------------------------------------------------------------------

    /// The counters of each poll group, with their transports' names.
    public List<PollGroupReport> statistics() {
        return pollGroups.stream()
                .map(group -> group.thread().<PollGroupReport, RuntimeException>call(group::onReport)).toList();
    }

    /// A task of the control path.
    interface Task {
        void run() throws Exception;
    }

    /// Runs `task` on the control path; called by reactors. What it throws is reported as `what`'s.
    void later(String what, Task task) {
        reactors.control().fromReactor(() -> {
            try {
                task.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // the application ends, and with it the target
            } catch (Throwable t) {
                reactors.contain(what, t);
            }
        });
    }

    private void requireOpen() {
        if (closed) {
            throw RpcException.internal("target " + name + " is being deleted");
        }
    }

    /// Removes all subsystems, closes the transports and ends the poll groups.
    void close() throws Exception {
        lock.lockInterruptibly();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        for (NvmfSubsystem subsystem : subsystems.values()) {
            if (subsystem.remove()) {
                subsystems.remove(subsystem.nqn());
            }
        }
        for (NvmfTransport transport : transports.values()) {
            close(transport);
        }
        transports.clear();
        for (PollGroup group : pollGroups) {
            group.thread().run(group::onClose);
        }
    }
}
