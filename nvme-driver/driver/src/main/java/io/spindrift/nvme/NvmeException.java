package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.nvme.spec.Status;

/// What was asked of a controller on the control path has failed: its message is the sentence to show, its errno the nearest.
public final class NvmeException extends ErrnoException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// A failure that no command reported.
    public NvmeException(int errno, String sentence) {
        super(errno, sentence);
        this.status = Status.SUCCESS;
    }

    /// As the other, with what caused it.
    public NvmeException(int errno, String sentence, Throwable cause) {
        this(errno, sentence);
        initCause(cause);
    }

    private NvmeException(String sentence, int status) {
        super(Errno.EIO, sentence);
        this.status = status;
    }

    /// `command` has ended with `status`, a [Status] other than success.
    public static NvmeException ofStatus(String command, int status, boolean fabrics) {
        return new NvmeException(command + " ended with " + Status.text(status, fabrics), status);
    }

    /// The status of the command that failed, or 0 if it was no command.
    public int status() {
        return status;
    }
}
