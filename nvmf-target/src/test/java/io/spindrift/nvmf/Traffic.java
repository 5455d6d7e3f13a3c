package io.spindrift.nvmf;

import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/// Commands for the namespaces 1 to `count` of a subsystem on one poll group, as an engine would count and park them.
final class Traffic implements PollFunction {
    private static final int IN_FLIGHT = 8;

    /// Commands that have ended; read by the test.
    final AtomicLong ended = new AtomicLong();
    /// Commands that were parked and have begun again.
    final AtomicLong resumed = new AtomicLong();
    /// Commands that ended on a channel that was gone.
    final AtomicLong stranded = new AtomicLong();
    private final PollGroup group;
    private final NvmfSubsystem subsystem;
    private final int count;
    private final Deque<GroupNamespace> running = new ArrayDeque<>();
    private int parked;
    private Poller poller;

    Traffic(PollGroup group, NvmfSubsystem subsystem, int count) {
        this.group = group;
        this.subsystem = subsystem;
        this.count = count;
    }

    void start() {
        group.thread().run(() -> poller = group.thread().addPoller("traffic", this));
    }

    /// Begins no more commands, and ends those that run.
    void stop() {
        group.thread().run(() -> {
            poller.unregister();
            while (!running.isEmpty()) {
                end(running.removeFirst());
            }
        });
    }

    @Override
    public boolean readyToSleep() {
        return false;
    }

    @Override
    public int poll() {
        GroupSubsystem part = group.subsystem(subsystem);
        for (int nsid = 1; nsid <= count; nsid++) {
            begin(part, nsid);
        }
        while (running.size() > IN_FLIGHT || part.managementPaused() && !running.isEmpty()) {
            end(running.removeFirst());
        }
        return 1;
    }

    private void begin(GroupSubsystem part, int nsid) {
        if (part.isPaused(nsid)) {
            if (parked < IN_FLIGHT) {
                parked++;
                part.park(new Command(nsid));
            }
            return;
        }
        GroupNamespace namespace = part.namespace(nsid);
        if (namespace != null) {
            namespace.begin();
            running.addLast(namespace);
        }
    }

    private void end(GroupNamespace namespace) {
        if (namespace.channel().references() == 0) {
            stranded.incrementAndGet();
        }
        namespace.end();
        ended.incrementAndGet();
    }

    private final class Command extends ParkedCommand {
        private final int nsid;

        Command(int nsid) {
            this.nsid = nsid;
        }

        @Override
        protected void resumed() {
            parked--;
            resumed.incrementAndGet();
            begin(group.subsystem(subsystem), nsid);
        }
    }
}
