package io.spindrift.nvme;

import io.spindrift.nvme.spec.Status;

/// How a command of the control path ended.
///
/// @param status      as in [Status], 0 for success
/// @param result      dwords 0 and 1 of the completion
/// @param transferred bytes of data that came
public record CommandResult(int status, long result, long transferred) {
    /// Dword 0 of the completion.
    public int dw0() {
        return (int) result;
    }

    public boolean succeeded() {
        return status == Status.SUCCESS;
    }

    /// This, if it is success; else throws [NvmeException], which says how `command` has ended.
    public CommandResult orThrow(String command) {
        return orThrow(command, false);
    }

    CommandResult orThrow(String command, boolean fabrics) {
        if (!succeeded()) {
            throw NvmeException.ofStatus(command, status, fabrics);
        }
        return this;
    }
}
