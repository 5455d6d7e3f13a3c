package io.spindrift.nvmf.engine;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvmf.ControllerReport;
import io.spindrift.nvmf.ControllerReport.QueuePairReport;
import io.spindrift.nvmf.GroupSubsystem;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.spi.TransportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A controller: what a host sees of a subsystem, from the Connect of its admin queue to the end of that.
///
/// It belongs to the thread of its admin queue pair; methods called `onX` and all that admin commands use run there. What
/// is final may be read by any thread.
public final class Controller {
    /// KATO has 32 bits, in the feature, too.
    private static final long MAX_KATO = 0xffff_ffffL;

    private final ControllerTable table;
    private final QueuePair admin;
    private final IoThread thread;
    private final String hostNqn;
    private final UUID hostId;
    private final ControllerRegisters registers;
    private final Features features;
    private final AsyncEvents events = new AsyncEvents(this);
    private final DiscoveryPages discoveryPages;
    private final ReservationLog reservationLog = new ReservationLog();
    private final Aborts aborts = new Aborts(this);
    private final ErrorLog errors = new ErrorLog();
    private final TreeMap<Integer, QueuePair> ioQueues = new TreeMap<>();
    private final List<Runnable> whenGone = new ArrayList<>();
    private volatile int cntlid;
    private Poller keepAlive;
    private long lastKeepAlive;
    private long lastCheck;
    private boolean adminEnded;
    private boolean gone;

    Controller(ControllerTable table, QueuePair admin, String hostNqn, UUID hostId) {
        this.table = table;
        this.admin = admin;
        this.thread = admin.group().thread();
        this.hostNqn = hostNqn;
        this.hostId = hostId;
        this.registers = new ControllerRegisters(admin.transport().options(), table.subsystem().options().enableNssr());
        this.features = new Features(admin.transport().options().maxIoQueuePairs());
        this.discoveryPages = new DiscoveryPages(this);
    }

    public NvmfSubsystem subsystem() {
        return table.subsystem();
    }

    public String hostNqn() {
        return hostNqn;
    }

    public UUID hostId() {
        return hostId;
    }

    public int cntlid() {
        return cntlid;
    }

    void cntlid(int id) {
        cntlid = id;
    }

    IoThread thread() {
        return thread;
    }

    QueuePair admin() {
        return admin;
    }

    TransportOptions transportOptions() {
        return admin.transport().options();
    }

    boolean discovery() {
        return subsystem().subtype() == NvmfSubsystem.Subtype.DISCOVERY;
    }

    GroupSubsystem groupSubsystem() {
        return admin.subsystem();
    }

    ControllerRegisters registers() {
        return registers;
    }

    Features features() {
        return features;
    }

    AsyncEvents events() {
        return events;
    }

    /// What a discovery controller tells.
    DiscoveryPages discoveryPages() {
        return discoveryPages;
    }

    ReservationLog reservationLog() {
        return reservationLog;
    }

    /// Another host's command has done something to the reservations of a namespace.
    void onReservationNotice(long nsid, int type) {
        assert thread.isCurrent();
        reservationLog.add(nsid, type);
        events.reservationLogAvailable();
    }

    Aborts aborts() {
        return aborts;
    }

    ErrorLog errors() {
        return errors;
    }

    /// Whether the host has made I/O queues.
    boolean hasIoQueues() {
        return !ioQueues.isEmpty();
    }

    /// The I/O queue with this identifier, or null.
    QueuePair ioQueue(int qid) {
        assert thread.isCurrent();
        return ioQueues.get(qid);
    }

    // ---- life -------------------------------------------------------------------------------------------------

    /// Begins; the host's Keep Alive Timeout is `katoMillis`.
    void onStart(long katoMillis) {
        assert thread.isCurrent();
        lastKeepAlive = thread.now();
        keepAliveTimeout(katoMillis);
    }

    /// An I/O queue wants to be added; returns the status of its Connect.
    int onAddQueue(QueuePair queue, int qid) {
        assert thread.isCurrent();
        if (adminEnded || !registers.ready()) {
            return Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR);
        }
        if (ioQueues.containsKey(qid)) {
            return GenericStatus.COMMAND_SEQUENCE_ERROR; // it may be about to end
        }
        if (qid > features.ioQueues()) {
            return Status.withDnr(CommandSpecificStatus.INVALID_QUEUE_IDENTIFIER);
        }
        ioQueues.put(qid, queue);
        return Status.SUCCESS;
    }

    /// A queue pair's connection is over and its commands have ended. With the admin queue the others end.
    void onQueueEnded(QueuePair queue) {
        assert thread.isCurrent();
        if (queue == admin) {
            adminEnded = true;
            stopKeepAlive();
            endIoQueues();
        } else {
            ioQueues.values().remove(queue);
        }
        if (adminEnded && ioQueues.isEmpty() && !gone) {
            gone = true;
            table.remove(this);
            engine().detail("subsystem %s: controller %d of host %s is gone", subsystem().nqn(), cntlid, hostNqn);
            whenGone.forEach(Runnable::run);
            whenGone.clear();
        }
    }

    private TargetEngine engine() {
        return (TargetEngine) subsystem().target().engine();
    }

    private void endIoQueues() {
        for (QueuePair queue : ioQueues.values()) {
            queue.group().thread().send(queue::disconnect);
        }
    }

    /// Ends all of it, and runs `ended` on this thread when it is gone.
    void onEnd(Runnable ended) {
        assert thread.isCurrent();
        if (gone) {
            ended.run();
            return;
        }
        whenGone.add(ended);
        admin.disconnect();
        endIoQueues();
    }

    /// The host has shut it down: I/O queues are deleted. Event requests are not answered: SPDK's host has forgotten them by then,
    /// and takes an answer for a broken connection. They end with the admin queue.
    void shutDown() {
        endIoQueues();
    }

    /// CC.EN was cleared: I/O queues are deleted, all else begins anew.
    void reset() {
        endIoQueues();
        events.drop();
        reservationLog.clear();
        features.reset();
    }

    /// The queue pairs that came in at an address that is about to go.
    void onListenerRemoved(io.spindrift.nvmf.TransportAddress address) {
        assert thread.isCurrent();
        if (admin.listen().equals(address)) {
            admin.disconnect();
        }
        for (QueuePair queue : ioQueues.values()) {
            if (queue.listen().equals(address)) {
                queue.group().thread().send(queue::disconnect);
            }
        }
    }

    /// The admin queue is over: its outstanding event requests end.
    void dropEvents() {
        events.drop();
    }

    // ---- Keep Alive (base specification 2.0, 3.9) ---------------------------------------------------------------

    /// Sets the timeout; 0 ends the timer.
    void keepAliveTimeout(long millis) {
        stopKeepAlive();
        long shortest = transportOptions().keepAlive().minMillis();
        long unit = transportOptions().keepAlive().granularity() * 100L;
        long rounded = Math.min((millis + unit - 1) / unit, MAX_KATO / unit) * unit;
        long timeout = millis == 0 ? 0 : Math.max(shortest, rounded);
        features.keepAliveMillis(timeout);
        if (timeout > 0) {
            long period = TimeUnit.MILLISECONDS.toNanos(timeout);
            lastKeepAlive = thread.now();
            lastCheck = lastKeepAlive;
            long interval = Math.max(period / 4, TimeUnit.MILLISECONDS.toNanos(100));
            keepAlive = thread.addTimedPoller("nvmf_keep_alive", () -> checkKeepAlive(period, interval), interval);
        }
    }

    private int checkKeepAlive(long period, long interval) {
        long now = thread.now();
        boolean stoodStill = now - lastCheck >= 2 * interval; // this side, which has not read what the host sent
        lastCheck = now;
        if (stoodStill) {
            lastKeepAlive = now;
        }
        if (now - lastKeepAlive < period) {
            return 0;
        }
        stopKeepAlive();
        engine().detail("subsystem %s: controller %d ends, its host %s has sent no Keep Alive", subsystem().nqn(),
                cntlid,
                hostNqn);
        registers.fatal();
        admin.disconnect();
        return 1;
    }

    private void stopKeepAlive() {
        if (keepAlive != null) {
            keepAlive.unregister();
            keepAlive = null;
        }
    }

    /// The host is alive.
    void kept() {
        lastKeepAlive = thread.now();
    }

    // ---- reports ----------------------------------------------------------------------------------------------

    ControllerReport onReport() {
        assert thread.isCurrent();
        return new ControllerReport(cntlid, discovery() ? "discovery" : "io", hostNqn, hostId, ioQueues.size());
    }

    List<QueuePairReport> onQueueReports() {
        assert thread.isCurrent();
        List<QueuePairReport> reports = new ArrayList<>();
        reports.add(report(admin, 0));
        ioQueues.forEach((qid, queue) -> reports.add(report(queue, qid)));
        return reports;
    }

    private QueuePairReport report(QueuePair queue, int qid) {
        return new QueuePairReport(cntlid, qid, "enabled", queue.group().thread().name(), hostNqn,
                java.util.Optional.of(queue.listen()), queue.peer());
    }
}
