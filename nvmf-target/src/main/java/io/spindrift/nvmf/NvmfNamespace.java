package io.spindrift.nvmf;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.nvmf.reservation.Reservations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A namespace as it is at one time. Immutable: a change makes another one with the same descriptor.
///
/// @param nsid        its number
/// @param descriptor  the open device; the subsystem closes it when the namespace is removed
/// @param ids         by what hosts know it again
/// @param anaGroup    its ANA group
/// @param autoVisible whether every host sees it, else only `hosts`
/// @param hosts       the NQNs of those that see it
/// @param ptplFile    where its reservations are kept through power loss
/// @param numBlocks   its size in blocks of [Bdev#blockSize()]
/// @param reservations who has registered, and what is reserved
public record NvmfNamespace(long nsid, BdevDescriptor descriptor, NamespaceIds ids, long anaGroup, boolean autoVisible,
        List<String> hosts, Optional<String> ptplFile, long numBlocks, Reservations reservations) {
    /// The device behind it.
    public Bdev bdev() {
        return descriptor.bdev();
    }

    /// Whether the host with this NQN sees it. Allocates nothing.
    public boolean visibleTo(String hostNqn) {
        return autoVisible || hosts.contains(hostNqn);
    }

    NvmfNamespace inGroup(long group) {
        return new NvmfNamespace(nsid, descriptor, ids, group, autoVisible, hosts, ptplFile, numBlocks, reservations);
    }

    NvmfNamespace withBlocks(long blocks) {
        return new NvmfNamespace(nsid, descriptor, ids, anaGroup, autoVisible, hosts, ptplFile, blocks, reservations);
    }

    NvmfNamespace visible(String host, boolean visible) {
        List<String> changed = new ArrayList<>(hosts);
        changed.remove(host);
        if (visible) {
            changed.add(host);
        }
        return new NvmfNamespace(nsid, descriptor, ids, anaGroup, autoVisible, List.copyOf(changed), ptplFile,
                numBlocks, reservations);
    }

    NvmfNamespace with(Reservations changed) {
        return new NvmfNamespace(nsid, descriptor, ids, anaGroup, autoVisible, hosts, ptplFile, numBlocks, changed);
    }
}
