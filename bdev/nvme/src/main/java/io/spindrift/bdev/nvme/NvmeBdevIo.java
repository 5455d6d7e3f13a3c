package io.spindrift.bdev.nvme;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.nvme.NvmeCompletion;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.MediaStatus;
import io.spindrift.nvme.spec.PathStatus;
import io.spindrift.nvme.spec.Status;

/// An I/O of an NVMe bdev on its way: its command, and what becomes of it. One for each pooled I/O, on its channel's thread.
///
/// ```
///   begin -> send(path) -> completed -> [success] end
///                 ^            |----> [next part of a long one] ---.
///                 |            `----> [may be repeated] RetryQueue  |
///                 `--------------------------'----------------------'
/// ```
final class NvmeBdevIo implements NvmeCompletion {
    private static final long CRD_UNIT_NANOS = 100_000_000;

    private final NvmeBdevChannel channel;
    private final NvmeBdev bdev;
    private final IoCommand command;
    private final boolean countsPaths;
    private BdevIo io;
    private IoPath path;
    private NvmeRequest request;
    /// The second half of a fused operation.
    private NvmeRequest second;
    /// Commands of it that have not ended.
    private int outstanding;
    private int status;
    private int retries;

    /// When it may be tried again, and who is tried after it: the [RetryQueue]'s.
    long retryTick;
    NvmeBdevIo nextWaiting;

    NvmeBdevIo(NvmeBdevChannel channel) {
        this.channel = channel;
        this.bdev = channel.bdev();
        this.command = new IoCommand(bdev);
        this.countsPaths = bdev.countsPaths();
    }

    BdevIo io() {
        return io;
    }

    NvmeBdevChannel channel() {
        return channel;
    }

    /// Takes a new I/O.
    void begin(BdevIo given) {
        io = given;
        retries = 0;
        command.rewind();
    }

    // ---- sending ----------------------------------------------------------------------------------------------

    /// Whether the device takes it.
    boolean possible() {
        return command.possible(io);
    }

    /// Sends its command, or the next part of it, through `chosen`.
    void send(IoPath chosen) {
        path = chosen;
        QueuePair queue = chosen.queuePair();
        NvmeRequest taken = queue.acquire();
        if (taken == null) {
            noRoom();
            return;
        }
        BdevIo given = io;
        if (given.type() == BdevIoType.COMPARE_AND_WRITE) {
            sendFused(taken, queue);
            return;
        }
        request = taken;
        outstanding = 1;
        command.build(taken, given, chosen);
        if (!taken.submit(this)) {
            taken.release();
            notSent();
        }
    }

    private void sendFused(NvmeRequest first, QueuePair queue) {
        NvmeRequest other = queue.acquire();
        if (other == null) {
            first.release();
            noRoom();
            return;
        }
        request = first;
        second = other;
        status = Status.SUCCESS;
        outstanding = 2;
        command.buildFused(first, other, io);
        if (!first.submit(this)) {
            first.release();
            other.release();
            second = null;
            notSent();
        } else if (!other.submit(this)) {
            other.release(); // the queue pair went down with the first
            ended(other, GenericStatus.ABORTED_SQ_DELETION);
        }
    }

    /// All requests are in use: the core submits it again, from its beginning; what has been begun waits here.
    private void noRoom() {
        if (retries > 0 || command.begun()) {
            channel.retry(this, 0);
        } else {
            io.complete(BdevStatus.NOMEM);
        }
    }

    /// The path's queue pair is not connected.
    private void notSent() {
        request = null;
        channel.lost(path);
        channel.retry(this, 0);
    }

    /// Its turn has come again.
    void retry() {
        channel.again(this);
    }

    // ---- its end ----------------------------------------------------------------------------------------------

    @Override
    public void completed(NvmeRequest ended) {
        int result = ended.status();
        if (result == Status.SUCCESS && io.type() <= BdevIoType.WRITE) {
            request = null;
            ended.release();
            if (countsPaths) {
                count();
            }
            io.complete(BdevStatus.SUCCESS);
        } else {
            completedSlowly(ended, result);
        }
    }

    private void completedSlowly(NvmeRequest ended, int result) {
        ended.release();
        ended(ended, result);
    }

    /// A command has ended, and its request is released.
    private void ended(NvmeRequest ended, int result) {
        if (second != null) {
            // the first half says what went wrong; the second then that the first did
            if (status == Status.SUCCESS || result != Status.SUCCESS
                    && Status.code(status) == GenericStatus.ABORTED_FAILED_FUSED) {
                status = result;
            }
            if (--outstanding > 0) {
                request = ended == second ? request : second;
                return;
            }
            second = null;
        } else {
            status = result;
        }
        request = null;
        if (status != Status.SUCCESS) {
            failed();
        } else if (command.advance(io)) {
            retries = 0;
            channel.again(this);
        } else {
            if (countsPaths) {
                count();
            }
            io.complete(BdevStatus.SUCCESS);
        }
    }

    private void count() {
        path.statistics().count(io.type(), io.numBlocks(), channel.thread().now() - io.submitTick());
    }

    private void failed() {
        bdev.countError(status);
        int code = Status.code(status);
        boolean pathFailed = Status.sct(status) == Status.SCT_PATH || code == GenericStatus.ABORTED_SQ_DELETION
                || !path.usable();
        if (Status.doNotRetry(status) || code == GenericStatus.ABORT_REQUESTED || code == PathStatus.ABORTED_BY_HOST
                || code == MediaStatus.COMPARE_FAILURE || !bdev.mayRetry(retries)
                || code == GenericStatus.ABORTED_SQ_DELETION && !IoCommand.repeatable(io)) {
            end();
        } else if (pathFailed) {
            repeatElsewhere(code);
        } else {
            retries++;
            channel.retry(this, bdev.retryDelay(path, Status.crd(status)) * CRD_UNIT_NANOS);
        }
    }

    private void repeatElsewhere(int code) {
        boolean byAna = code >= PathStatus.ANA_PERSISTENT_LOSS && code <= PathStatus.ANA_TRANSITION;
        if (byAna && path.namespace().becomesStale()) {
            path.namespace().path().readAnaLater();
        }
        channel.lost(path);
        if (byAna || path.usable()) {
            retries++; // else it would be without end: a controller may refuse what its log allows
        }
        if (channel.mayWait()) {
            channel.retry(this, 0);
        } else {
            end();
        }
    }

    private void end() {
        int code = Status.code(status);
        if (code == GenericStatus.ABORTED_SQ_DELETION && channel.isResetting()) {
            io.complete(BdevStatus.ABORTED);
            return;
        }
        io.complete(code == MediaStatus.COMPARE_FAILURE
                ? BdevStatus.MISCOMPARE
                : BdevStatus.nvme(Status.sct(status), Status.sc(status), Status.doNotRetry(status), 0));
    }

    /// No path will take it: it ends.
    void fail() {
        io.complete(channel.isResetting()
                ? BdevStatus.ABORTED
                : BdevStatus.nvme(Status.SCT_PATH, Status.sc(PathStatus.HOST_PATHING_ERROR)));
    }

    // ---- giving up --------------------------------------------------------------------------------------------

    /// The request under way, or null.
    NvmeRequest request() {
        return request;
    }

    /// The path of [#request()].
    IoPath path() {
        return path;
    }
}
