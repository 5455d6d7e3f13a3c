package io.spindrift.nvmf;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A subsystem as the data path sees it, from one change to the next. Immutable; any thread.
///
/// Namespaces have *slots*, in the order of their NSIDs from 0 on; a slot is good for this view only.
public final class SubsystemView {
    private final NvmfSubsystem subsystem;
    private final long version;
    /// Ascending.
    private final long[] nsids;
    private final NvmfNamespace[] namespaces;
    private final List<NvmfListener> listeners;
    private final boolean allowAnyHost;
    private final Set<String> hosts;
    private final List<String> hostsByAge;

    SubsystemView(NvmfSubsystem subsystem, long version, Collection<NvmfNamespace> namespaces,
            List<NvmfListener> listeners, boolean allowAnyHost, Collection<String> hosts) {
        this.subsystem = subsystem;
        this.version = version;
        this.namespaces = namespaces.toArray(NvmfNamespace[]::new);
        this.nsids = namespaces.stream().mapToLong(NvmfNamespace::nsid).toArray();
        this.listeners = List.copyOf(listeners);
        this.allowAnyHost = allowAnyHost;
        this.hosts = Set.copyOf(hosts);
        this.hostsByAge = List.copyOf(hosts);
    }

    public NvmfSubsystem subsystem() {
        return subsystem;
    }

    /// Higher in every later view of the subsystem.
    public long version() {
        return version;
    }

    /// How many namespaces there are.
    public int count() {
        return namespaces.length;
    }

    /// The namespace at a slot, from 0 to [#count()] - 1.
    public NvmfNamespace namespace(int slot) {
        return namespaces[slot];
    }

    /// All namespaces, by ascending NSID.
    public List<NvmfNamespace> namespaces() {
        return List.of(namespaces);
    }

    /// The slot of a namespace, or -1 if there is none with this number. One comparison where the NSIDs have no gaps;
    /// allocates nothing.
    public int slot(long nsid) {
        int guess = (int) nsid - 1;
        if (guess >= 0 && guess < nsids.length && nsids[guess] == nsid) {
            return guess;
        }
        int found = Arrays.binarySearch(nsids, nsid);
        return found < 0 ? -1 : found;
    }

    /// The namespace with this number.
    public Optional<NvmfNamespace> find(long nsid) {
        int slot = slot(nsid);
        return slot < 0 ? Optional.empty() : Optional.of(namespaces[slot]);
    }

    /// Where the subsystem can be reached, oldest first.
    public List<NvmfListener> listeners() {
        return listeners;
    }

    /// The listener at `address`.
    public Optional<NvmfListener> listener(TransportAddress address) {
        return listeners.stream().filter(listener -> listener.address().equals(address)).findFirst();
    }

    /// Whether every host may connect.
    public boolean allowsAnyHost() {
        return allowAnyHost;
    }

    /// The NQNs of the hosts that may connect by name, oldest first.
    public List<String> hosts() {
        return hostsByAge;
    }

    /// Whether the host with this NQN may connect.
    public boolean admits(String hostNqn) {
        return allowAnyHost || hosts.contains(hostNqn);
    }
}
