package io.spindrift.nvmf.engine;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvmf.GroupNamespace;
import io.spindrift.nvmf.GroupSubsystem;
import io.spindrift.nvmf.spi.FusesFeature;

/// The fused operation of a queue pair, Compare and Write (base specification 2.0, 3.4.2).
///
/// Two commands that follow each other in the queue are one operation. They are paired as they arrive, since their data may
/// come in any order; whichever is ready first is held until the other is. On the queue pair's thread.
/// ```
///   FIRST arrives --SECOND is next--> paired --both ready--> compare and write --> FIRST ends, SECOND ends
///               \---another is next--> Missing Fused Command
/// ```
final class FusedCommands {
    /// A first command whose second has not arrived; its partner is itself, so that its end is noticed.
    private Request lone;
    /// When it arrived, in ticks of the thread.
    private long loneSince;
    /// Whether the last command was a first one that has failed already.
    private boolean failed;

    /// Whether the next command, whatever it is, must be looked at.
    boolean expecting() {
        return lone != null || failed;
    }

    /// Since when a first command has waited for its second; `now` if none does.
    long waitingSince(long now) {
        return lone == null ? now : loneSince;
    }

    /// The second could not arrive until now, for what is this side's doing.
    void goesOn(long now) {
        loneSince = now;
    }

    /// A command is next in the queue.
    void arrived(Request request) {
        Request first = lone;
        boolean afterFailure = failed;
        lone = null;
        failed = false;
        request.fusedStatus = Status.SUCCESS;
        int fuse = request.fuse();
        if (fuse == SubmissionQueueEntry.FUSE_SECOND && first != null) {
            first.partner = request;
            request.partner = first;
            return;
        }
        if (fuse == SubmissionQueueEntry.FUSE_FIRST) {
            lone = request;
            loneSince = request.queue().group().thread().now();
            request.partner = request;
        } else if (fuse == SubmissionQueueEntry.FUSE_SECOND) {
            request.fusedStatus = afterFailure
                    ? GenericStatus.ABORTED_FAILED_FUSED
                    : GenericStatus.ABORTED_MISSING_FUSED;
        }
        if (first != null) {
            first.partner = null;
            refuse(first, GenericStatus.ABORTED_MISSING_FUSED);
        }
    }

    /// Has a command end with `status`: now if it is held, else when it is ready.
    static void refuse(Request request, int status) {
        request.fusedStatus = status;
        if (request.held) {
            request.held = false;
            request.complete(status);
        }
    }

    /// A command that has a partner ends: it has none any more. Returns the other one, or null.
    Request part(Request request) {
        Request other = request.partner;
        request.partner = null;
        request.held = false;
        if (other == request) {
            lone = null;
            failed = true;
            return null;
        }
        other.partner = null;
        return other;
    }

    /// The connection is over: no second command will come.
    void ending() {
        if (lone != null && lone.held) {
            lone.complete(GenericStatus.ABORTED_SQ_DELETION);
        }
    }

    // ---- execution --------------------------------------------------------------------------------------------

    /// Begins a command with FUSE bits whose data are there.
    static void execute(QueuePair queue, Request request) {
        if (request.fuse() > SubmissionQueueEntry.FUSE_SECOND
                || queue.transport().options().maskedFuses().contains(FusesFeature.FCWS)) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
        } else if (request.fusedStatus != Status.SUCCESS) {
            request.complete(request.fusedStatus);
        } else {
            request.held = true;
            if (request.partner != request && request.partner.held) {
                begin(queue, request.fuse() == SubmissionQueueEntry.FUSE_FIRST ? request : request.partner);
            }
        }
    }

    private static void begin(QueuePair queue, Request first) {
        Request second = first.partner;
        GroupSubsystem subsystem = queue.subsystem();
        if (subsystem.isPaused(first.nsid())) {
            first.held = false; // but its partner is
            subsystem.park(first);
            return;
        }
        int slot = subsystem.view().slot(first.nsid());
        if (first.opcode() != NvmOpcode.COMPARE) {
            first.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
        } else if (second.opcode() != NvmOpcode.WRITE) {
            second.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
        } else if (slot < 0) {
            first.complete(Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT));
        } else if (queue.refusal(slot, NvmOpcode.COMPARE) != Status.SUCCESS) {
            first.complete(queue.refusal(slot, NvmOpcode.COMPARE));
        } else if (queue.refusal(slot, NvmOpcode.WRITE) != Status.SUCCESS) {
            second.complete(queue.refusal(slot, NvmOpcode.WRITE)); // a reservation that lets others read
        } else if (!sameBlocks(first, second)) {
            first.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
        } else {
            start(first, second, subsystem.namespace(first.nsid()));
        }
    }

    private static boolean sameBlocks(Request first, Request second) {
        return first.nsid() == second.nsid()
                && LbaCommand.slba(first.sqe(), first.sqeAt()) == LbaCommand.slba(second.sqe(), second.sqeAt())
                && LbaCommand.blocks(first.sqe(), first.sqeAt()) == LbaCommand.blocks(second.sqe(), second.sqeAt());
    }

    private static void start(Request first, Request second, GroupNamespace namespace) {
        long bytes = (long) LbaCommand.blocks(first.sqe(), first.sqeAt()) * namespace.namespace().bdev().blockSize();
        if (first.data().byteLength() != bytes) {
            first.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
        } else if (second.data().byteLength() != bytes) {
            second.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
        } else {
            first.held = false;
            second.held = false;
            first.use(namespace);
            second.use(namespace);
            submit(first);
        }
    }

    /// Submits the I/O of both, whose outcome comes to the first; again after it had to wait.
    static void submit(Request first) {
        long block = LbaCommand.slba(first.sqe(), first.sqeAt());
        long blocks = LbaCommand.blocks(first.sqe(), first.sqeAt());
        if (!first.namespace().channel().compareAndWrite(first.data(), first.partner.data(), block, blocks, null,
                first)) {
            first.waitForIo();
        }
    }

    /// The bdev's answer for both.
    void completed(Request first, BdevIo io) {
        Request second = part(first);
        long outcome = io.status();
        if (outcome == BdevStatus.SUCCESS) {
            first.complete(Status.SUCCESS);
            second.complete(Status.SUCCESS);
        } else {
            first.complete(BdevStatus.toNvme(outcome));
            second.complete(GenericStatus.ABORTED_FAILED_FUSED);
        }
    }
}
