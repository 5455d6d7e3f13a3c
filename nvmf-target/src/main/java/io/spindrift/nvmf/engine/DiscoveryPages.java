package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.DiscoveryLog;
import io.spindrift.nvme.spec.fabrics.Trtype;
import io.spindrift.nvmf.DiscoveryFilter;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.Referral;
import io.spindrift.nvmf.SubsystemView;
import io.spindrift.nvmf.TransportAddress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The discovery log page, for one host and the address where it asks (base specification 2.0, 5.16.1, LID 70h). Allocates.
///
/// A listener on a wildcard address is shown with the address that the host has used, if that is of its family: a listener on
/// `::` takes no IPv4. A host that reads the log in pieces trusts GENCTR: of two pieces that are not of the same log it must differ. Changes move the target's counter after they
/// can be seen, so here it moves with what was collected, too.
///
/// On the controller's thread.
final class DiscoveryPages {
    private static final int MIN_ADMIN_QUEUE = 32;

    private record Entry(TransportAddress address, int subtype, int flags, int treq, String nqn, int portId,
            int adminQueue) {}

    private final Controller controller;
    private final NvmfTarget target;
    private List<Entry> entries = List.of();
    private long generation;

    DiscoveryPages(Controller controller) {
        this.controller = controller;
        this.target = controller.subsystem().target();
    }

    MemorySegment log(Arena arena) {
        long counted = target.generation(); // first: a change meanwhile is told by the next
        List<Entry> collected = collect();
        generation = Math.max(collected.equals(entries) ? generation : generation + 1, counted);
        entries = collected;
        MemorySegment log = arena.allocate(DiscoveryLog.SIZE + (long) entries.size() * DiscoveryEntry.SIZE, Long.BYTES);
        DiscoveryLog.GENCTR.set(log, 0, generation);
        DiscoveryLog.NUMREC.set(log, 0, entries.size());
        for (int i = 0; i < entries.size(); i++) {
            write(log, DiscoveryLog.SIZE + (long) i * DiscoveryEntry.SIZE, entries.get(i));
        }
        return log;
    }

    private int adminQueue() {
        return (int) Math.max(MIN_ADMIN_QUEUE, controller.transportOptions().maxAdminQueueDepth());
    }

    private List<Entry> collect() {
        List<Entry> found = new ArrayList<>();
        found.add(new Entry(controller.admin().local(), DiscoveryEntry.SUBTYPE_CURRENT_DISCOVERY,
                DiscoveryEntry.EFLAGS_DUPLICATE | DiscoveryEntry.EFLAGS_PERSISTENT_CONNECTIONS,
                DiscoveryEntry.TREQ_SECURE_CHANNEL_NOT_REQUIRED, controller.subsystem().nqn(), 0, adminQueue()));
        for (NvmfSubsystem subsystem : target.subsystems()) {
            SubsystemView view = subsystem.view();
            if (subsystem.subtype() == NvmfSubsystem.Subtype.NVM && view.admits(controller.hostNqn())) {
                for (NvmfListener listener : view.listeners()) {
                    add(found, subsystem, listener.address());
                }
            }
        }
        for (Referral referral : target.referrals()) {
            found.add(new Entry(referral.address(), DiscoveryEntry.SUBTYPE_REFERRAL, 0,
                    referral.secureChannel()
                            ? DiscoveryEntry.TREQ_SECURE_CHANNEL_REQUIRED
                            : DiscoveryEntry.TREQ_SECURE_CHANNEL_NOT_REQUIRED,
                    referral.subnqn().isEmpty() ? Nqn.DISCOVERY : referral.subnqn(), 0, adminQueue()));
        }
        return found;
    }

    private void add(List<Entry> found, NvmfSubsystem subsystem, TransportAddress listener) {
        TransportAddress local = controller.admin().local();
        boolean everywhere = isWildcard(listener) && listener.trtype().equals(local.trtype());
        if (everywhere && listener.adrfam() != local.adrfam()) {
            return; // not reached at the address that the host has used, and which other one it can use is unknown
        }
        TransportAddress shown = everywhere
                ? new TransportAddress(listener.trtype(), local.adrfam(), local.traddr(), listener.trsvcid())
                : listener;
        Set<DiscoveryFilter> filters = target.options().discoveryFilters();
        if (filters.contains(DiscoveryFilter.TRANSPORT) && !shown.trtype().equals(local.trtype())
                || filters.contains(DiscoveryFilter.ADDRESS) && !shown.traddr().equalsIgnoreCase(local.traddr())
                || filters.contains(DiscoveryFilter.SVCID) && !shown.trsvcid().equals(local.trsvcid())) {
            return;
        }
        found.add(new Entry(shown, DiscoveryEntry.SUBTYPE_NVM, 0, DiscoveryEntry.TREQ_SECURE_CHANNEL_NOT_REQUIRED,
                subsystem.nqn(), 0, adminQueue()));
    }

    private static boolean isWildcard(TransportAddress address) {
        try {
            return InetAddress.ofLiteral(address.traddr()).isAnyLocalAddress();
        } catch (IllegalArgumentException _) {
            return false; // no IP address
        }
    }

    private static void write(MemorySegment log, long at, Entry entry) {
        DiscoveryEntry.TRTYPE.set(log, at, trtype(entry.address.trtype()));
        DiscoveryEntry.ADRFAM.set(log, at, entry.address.adrfam().code());
        DiscoveryEntry.SUBTYPE.set(log, at, entry.subtype);
        DiscoveryEntry.TREQ.set(log, at, entry.treq);
        DiscoveryEntry.PORTID.set(log, at, entry.portId);
        DiscoveryEntry.CNTLID.set(log, at, DiscoveryEntry.CNTLID_DYNAMIC);
        DiscoveryEntry.ASQSZ.set(log, at, entry.adminQueue);
        DiscoveryEntry.EFLAGS.set(log, at, entry.flags);
        DiscoveryEntry.TRSVCID.set(log, at, entry.address.trsvcid());
        DiscoveryEntry.SUBNQN.set(log, at, entry.nqn);
        DiscoveryEntry.TRADDR.set(log, at, entry.address.traddr());
    }

    static int trtype(String name) {
        return switch (name) {
            case "TCP" -> Trtype.TCP;
            case "RDMA" -> Trtype.RDMA;
            case "FC" -> Trtype.FC;
            default -> Trtype.INTRA_HOST;
        };
    }
}
