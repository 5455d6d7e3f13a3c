package io.spindrift.nvmf;

import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.framework.rpc.RpcException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The namespaces of a subsystem, and the rules for a new one. Guarded by the subsystem's lock.
final class NamespaceTable {
    private final NvmfSubsystem subsystem;
    private final NamespaceOpener opener;
    private final SortedMap<Long, NvmfNamespace> byNsid = new TreeMap<>();

    NamespaceTable(NvmfSubsystem subsystem, NamespaceOpener opener) {
        this.subsystem = subsystem;
        this.opener = opener;
    }

    /// By ascending NSID.
    List<NvmfNamespace> all() {
        return List.copyOf(byNsid.values());
    }

    NvmfNamespace get(long nsid) {
        NvmfNamespace namespace = byNsid.get(nsid);
        if (namespace == null) {
            throw RpcException.invalidParams("nsid=" + nsid + ": " + subsystem.nqn() + " has no such namespace");
        }
        return namespace;
    }

    Optional<NvmfNamespace> find(BdevDescriptor descriptor) {
        return byNsid.values().stream().filter(namespace -> namespace.descriptor() == descriptor).findFirst();
    }

    void put(NvmfNamespace namespace) {
        byNsid.put(namespace.nsid(), namespace);
    }

    void remove(NvmfNamespace namespace) {
        byNsid.remove(namespace.nsid());
    }

    /// Removes all and returns them.
    List<NvmfNamespace> clear() {
        List<NvmfNamespace> all = all();
        byNsid.clear();
        return all;
    }

    /// [IllegalArgumentException] if there can be no such ANA group.
    void checkGroup(long group) {
        if (group < 1 || group > maxNsid()) {
            throw new IllegalArgumentException("anagrpid=" + group + " is outside 1.." + maxNsid() + limitReason());
        }
    }

    /// Opens the device of a new namespace and adds it here, or changes nothing and throws.
    NvmfNamespace open(NamespaceRequest request, BdevEvents events) throws Exception {
        if (subsystem.subtype() == NvmfSubsystem.Subtype.DISCOVERY) {
            throw RpcException.invalidParams("nqn=" + subsystem.nqn() + ": a discovery subsystem has no namespaces");
        }
        long nsid = request.nsid().isPresent() ? wanted(request.nsid().getAsLong()) : lowestFree();
        long group = request.anaGroup().orElse(nsid);
        checkGroup(group);
        request.ptplFile().ifPresent(this::refuseUsed);
        BdevDescriptor descriptor = opener.open(request.bdevName(), events);
        boolean complete = false;
        try {
            if (subsystem.options().passthrough()) {
                throw RpcException
                        .invalidParams("namespace.bdev_name=" + request.bdevName() + " is no NVMe device, and "
                                + subsystem.nqn() + " was created with passthrough=true");
            }
            NamespaceIds ids = NamespaceIds.of(request, descriptor.bdev());
            byNsid.values().forEach(other -> ids.refuseSame(other.ids(), other.nsid()));
            NvmfNamespace namespace = new NvmfNamespace(nsid, descriptor, ids, group, request.autoVisible(), List.of(),
                    request.ptplFile(), descriptor.bdev().numBlocks(),
                    opener.reservations(request.ptplFile(), descriptor.bdev()));
            put(namespace);
            complete = true;
            return namespace;
        } finally {
            if (!complete) {
                opener.close(descriptor);
            }
        }
    }

    /// Keeps the reservations of `changed` if they are to be kept; throws if that fails.
    void keepReservations(NvmfNamespace before, NvmfNamespace changed) throws Exception {
        if (changed.ptplFile().isPresent() && !changed.reservations().keepsSameAs(before.reservations())) {
            opener.keep(changed.ptplFile().get(), changed.bdev(), changed.reservations());
        }
    }

    /// Gives its device back, once no poll group uses it.
    void close(NvmfNamespace namespace) throws InterruptedException {
        opener.close(namespace.descriptor());
    }

    /// Two namespaces would overwrite each other's reservations.
    private void refuseUsed(String ptplFile) {
        for (NvmfSubsystem other : subsystem.target().subsystems()) {
            for (NvmfNamespace user : other.view().namespaces()) {
                if (user.ptplFile().filter(ptplFile::equals).isPresent()) {
                    throw RpcException.invalidParams("namespace.ptpl_file=" + ptplFile
                            + " is that of the namespace " + user.nsid() + " of " + other.nqn());
                }
            }
        }
    }

    private long wanted(long nsid) {
        if (nsid > maxNsid()) {
            throw RpcException.invalidParams("namespace.nsid=" + nsid + " is outside 1.." + maxNsid() + limitReason());
        }
        NvmfNamespace user = byNsid.get(nsid);
        if (user != null) {
            throw RpcException.invalidParams("namespace.nsid=" + nsid + " is in use, by bdev " + user.bdev().name());
        }
        return nsid;
    }

    private long lowestFree() {
        long nsid = 1;
        for (long used : byNsid.keySet()) {
            if (used != nsid) {
                break;
            }
            nsid++;
        }
        if (nsid > maxNsid()) {
            throw RpcException.invalidParams(subsystem.nqn() + " has " + byNsid.size()
                    + " namespaces, which is its max_namespaces=" + subsystem.options().maxNamespaces());
        }
        return nsid;
    }

    private long maxNsid() {
        return subsystem.options().maxNsid();
    }

    private String limitReason() {
        return subsystem.options().maxNamespaces() == 0 ? "" : ", which is max_namespaces of " + subsystem.nqn();
    }
}
