package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.command.AbortCommand;

/// The Abort commands of a controller (base specification 2.0, 5.1), on its thread; the thread of the queue that is named
/// looks for the command and gives it up.
final class Aborts {
    /// How many may be on their way; one less is ACL of Identify Controller.
    static final int LIMIT = 4;

    private final Controller controller;
    private int outstanding;

    Aborts(Controller controller) {
        this.controller = controller;
    }

    void execute(Request abort) {
        if (outstanding == LIMIT) {
            abort.complete(CommandSpecificStatus.ABORT_COMMAND_LIMIT_EXCEEDED);
            return;
        }
        outstanding++;
        int sqid = AbortCommand.sqid(abort.sqe(), abort.sqeAt());
        int cid = AbortCommand.cid(abort.sqe(), abort.sqeAt());
        if (sqid == 0) {
            onAnswer(abort, controller.events().abort(cid));
            return;
        }
        QueuePair queue = controller.ioQueue(sqid);
        if (queue == null || !queue.group().thread().send(() -> onAbort(queue, cid, abort))) {
            onAnswer(abort, false);
        }
    }

    /// On the queue's thread.
    private void onAbort(QueuePair queue, int cid, Request abort) {
        Request found = queue.find(cid);
        if (found == null) {
            answer(abort, false);
        } else {
            found.abort(aborted -> answer(abort, aborted));
        }
    }

    private void answer(Request abort, boolean aborted) {
        controller.thread().send(() -> onAnswer(abort, aborted));
    }

    private void onAnswer(Request abort, boolean aborted) {
        assert controller.thread().isCurrent();
        outstanding--;
        abort.complete(Status.SUCCESS, aborted ? 0 : AbortCommand.NOT_ABORTED);
    }
}
