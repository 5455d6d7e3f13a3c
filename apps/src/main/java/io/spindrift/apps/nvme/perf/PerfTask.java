package io.spindrift.apps.nvme.perf;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.nvme.NvmeCompletion;
import io.spindrift.nvme.NvmeRequest;

/// One of the I/Os that a load keeps on their way: submits the next when one has ended. On the load's thread.
///
/// Its requests are acquired once and used again. An I/O that is longer than a command may be takes several, all submitted
/// together; it has ended when all have.
final class PerfTask implements NvmeCompletion {
    private final NamespaceLoad load;
    private final NvmeRequest request;
    private final IoVector data;
    /// One for each command, and as many vectors; `request` and `data` are the first of them.
    private final NvmeRequest[] requests;
    private final IoVector[] vectors;
    private boolean reads;
    private long lba;
    private long submitted;
    /// Commands of an I/O of several that have not ended.
    private int pending;
    /// The last that was no success among those of the I/O.
    private int status;

    PerfTask(NamespaceLoad load, NvmeRequest[] requests, IoVector[] vectors) {
        this.load = load;
        this.requests = requests;
        this.vectors = vectors;
        this.request = requests[0];
        this.data = vectors[0];
    }

    /// Begins at `now`; goes on until the load drains.
    void next(long now) {
        NamespaceLoad l = load;
        submitted = now;
        if ((l.special & ~NamespaceLoad.DRAINING) != 0) {
            nextSpecial(l);
        } else {
            nextPlain(l);
        }
    }

    private void nextPlain(NamespaceLoad l) {
        lba = l.nextLba();
        reads = l.reads;
        if (!start(l, request, lba, l.blocks, data)) {
            l.taskEnded();
        }
    }

    private boolean start(NamespaceLoad l, NvmeRequest command, long at, int blocks, IoVector vector) {
        return (reads
                ? command.read(l.nsid, at, blocks, l.flags, vector)
                : command.write(l.nsid, at, blocks, l.flags, vector)).submit(this);
    }

    private void nextSpecial(NamespaceLoad l) {
        lba = l.nextLba();
        reads = l.nextIsRead();
        l.counted();
        pending = 0;
        boolean taken = true;
        for (int i = 0; i < requests.length && taken; i++) {
            long before = (long) i * l.commandBlocks;
            taken = start(l, requests[i], lba + before, (int) Math.min(l.commandBlocks, l.blocks - before), vectors[i]);
            pending += taken ? 1 : 0;
        }
        if (pending == 0) {
            l.taskEnded(); // the queue pair is down
        }
    }

    @Override
    public void completed(NvmeRequest ended) {
        NamespaceLoad l = load;
        if ((ended.status() | l.special) == 0) {
            long now = l.thread.now();
            l.counters.completed(now - submitted);
            submitted = now;
            nextPlain(l);
        } else {
            completedSpecial(l, ended);
        }
    }

    private void completedSpecial(NamespaceLoad l, NvmeRequest ended) {
        if (ended.status() != 0) {
            status = ended.status();
        }
        if (requests.length > 1 && --pending > 0) {
            return;
        }
        long now = l.clock();
        if (status == 0) {
            l.counters.completedAndRecorded(now - submitted);
        } else {
            l.failed(reads, status, now - submitted);
            status = 0;
        }
        if ((l.special & NamespaceLoad.DRAINING) == 0) {
            next(now);
        } else {
            l.taskEnded();
        }
    }
}
