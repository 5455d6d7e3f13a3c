package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// Dword 10 of Namespace Attachment (base specification 2.0, 5.20). Its data is a
/// [io.spindrift.nvme.spec.identify.ControllerList].
public final class NamespaceAttachment {
    /// Select: attach the namespace to the controllers.
    public static final int SEL_ATTACH = 0;
    public static final int SEL_DETACH = 1;

    private NamespaceAttachment() {}

    public static void set(MemorySegment sqe, long at, int sel) {
        SubmissionQueueEntry.cdw10(sqe, at, sel & 0xf);
    }

    /// Select.
    public static int sel(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 0xf;
    }
}
