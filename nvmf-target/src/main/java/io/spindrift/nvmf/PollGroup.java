package io.spindrift.nvmf;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.TransportGroup;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// A target's part on one reactor's core: the thread where a share of its queue pairs live, with their I/O.
///
/// The thread owns everything here. Others use [#thread()] to send it messages.
public final class PollGroup {
    private final NvmfTarget target;
    private final IoThread thread;
    private final Map<NvmfSubsystem, GroupSubsystem> subsystems = new IdentityHashMap<>();
    private final Map<NvmfTransport, TransportGroup> transports = new LinkedHashMap<>();
    private final PollGroupCounters counters = new PollGroupCounters();

    PollGroup(NvmfTarget target, IoThread thread) {
        this.target = target;
        this.thread = thread;
    }

    public NvmfTarget target() {
        return target;
    }

    /// The owner. Any thread.
    public IoThread thread() {
        return thread;
    }

    /// What has gone through it. On the thread.
    public PollGroupCounters counters() {
        assert thread.isCurrent();
        return counters;
    }

    /// A subsystem's part here, or null if it is not active. On the thread.
    public GroupSubsystem subsystem(NvmfSubsystem subsystem) {
        assert thread.isCurrent();
        return subsystems.get(subsystem);
    }

    /// The counters as they are now.
    PollGroupReport onReport() {
        assert thread.isCurrent();
        return new PollGroupReport(thread.name(), counters.adminQueuePairs, counters.ioQueuePairs,
                counters.currentAdminQueuePairs, counters.currentIoQueuePairs, counters.currentUnassociatedQueuePairs,
                counters.pendingBdevIo, counters.completedNvmeIo,
                transports.entrySet().stream().map(entry -> new PollGroupReport.TransportReport(
                        entry.getKey().trtype(), entry.getValue().statistics())).toList());
    }

    /// As [#subsystem], made if need be.
    GroupSubsystem onAddSubsystem(NvmfSubsystem subsystem) {
        assert thread.isCurrent();
        return subsystems.computeIfAbsent(subsystem, _ -> new GroupSubsystem(thread, subsystem.health().newPart()));
    }

    void onRemoveSubsystem(NvmfSubsystem subsystem) {
        assert thread.isCurrent();
        subsystems.remove(subsystem);
    }

    void onAddTransport(NvmfTransport transport) throws Exception {
        assert thread.isCurrent();
        transports.put(transport, transport.openGroup(this));
    }

    void onRemoveTransport(NvmfTransport transport) {
        assert thread.isCurrent();
        TransportGroup group = transports.remove(transport);
        if (group != null) {
            group.close();
        }
    }

    /// Its subsystems and transports have gone before.
    void onClose() {
        assert thread.isCurrent() && subsystems.isEmpty() && transports.isEmpty();
        thread.exit();
    }
}
