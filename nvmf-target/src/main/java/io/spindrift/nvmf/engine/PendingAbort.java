package io.spindrift.nvmf.engine;

import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import java.util.concurrent.TimeUnit;

/// An Abort of a command whose data the host has been asked for and still sends: the command must not end before they have
/// come, since the host may send them at any time. It is given up then, unless that takes longer than the transport's
/// `abort_timeout_sec`. On the thread of the command's queue pair; allocates.
final class PendingAbort {
    private final Request command;
    private final Request.AbortAnswer answer;
    private final Poller timer;

    private PendingAbort(Request command, Request.AbortAnswer answer, long nanos) {
        this.command = command;
        this.answer = answer;
        this.timer = command.queue().group().thread().addTimedPoller("nvmf_abort", this::expired, nanos);
    }

    /// Waits for the data of `command`, if it does itself; else, and for a second Abort of it, the answer is no.
    static void begin(Request command, Request.AbortAnswer answer) {
        long seconds = command.queue().transport().options().abortTimeoutSeconds();
        if (command.pendingAbort != null || seconds == 0 || !command.endWhenMoved(GenericStatus.ABORT_REQUESTED)) {
            answer.told(false);
        } else {
            command.pendingAbort = new PendingAbort(command, answer, TimeUnit.SECONDS.toNanos(seconds));
        }
    }

    private int expired() {
        command.endWhenMoved(Status.SUCCESS);
        answer(false);
        return 1;
    }

    /// The command has ended.
    void ended(int status) {
        answer(Status.code(status) == GenericStatus.ABORT_REQUESTED);
    }

    private void answer(boolean aborted) {
        timer.unregister();
        command.pendingAbort = null;
        answer.told(aborted);
    }
}
