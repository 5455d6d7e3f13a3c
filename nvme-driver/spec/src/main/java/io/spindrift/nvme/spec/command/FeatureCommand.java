package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// Dword 10 of Get Features and Set Features (base specification 2.0, 5.15 and 5.27). Dwords 11 to 15 are the
/// feature's own.
public final class FeatureCommand {
    /// Select: the current value.
    public static final int SEL_CURRENT = 0;
    public static final int SEL_DEFAULT = 1;
    public static final int SEL_SAVED = 2;
    /// The capabilities of the feature, see the `CAPABILITY_` bits of dword 0.
    public static final int SEL_CAPABILITIES = 3;

    /// Dword 0 of the completion: the feature can be saved.
    public static final int CAPABILITY_SAVEABLE = 1;
    public static final int CAPABILITY_NAMESPACE_SPECIFIC = 1 << 1;
    public static final int CAPABILITY_CHANGEABLE = 1 << 2;

    private static final int SV = 1 << 31;

    private FeatureCommand() {}

    /// Get Features.
    public static void get(MemorySegment sqe, long at, int fid, int sel) {
        SubmissionQueueEntry.cdw10(sqe, at, fid & 0xff | (sel & 7) << 8);
    }

    /// Set Features, with dword 11.
    public static void set(MemorySegment sqe, long at, int fid, boolean save, int cdw11) {
        SubmissionQueueEntry.cdw10(sqe, at, fid & 0xff | (save ? SV : 0));
        SubmissionQueueEntry.cdw11(sqe, at, cdw11);
    }

    /// Feature Identifier, see `feature.Fid`.
    public static int fid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 0xff;
    }

    /// Select, of Get Features.
    public static int sel(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 8 & 7;
    }

    /// Save, of Set Features.
    public static boolean sv(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) & SV) != 0;
    }
}
