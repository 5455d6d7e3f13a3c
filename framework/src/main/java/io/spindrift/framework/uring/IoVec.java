package io.spindrift.framework.uring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// One piece of memory in a vectored request, struct iovec of uio.h on a 64-bit machine.
public final class IoVec {
    public static final int SIZE = 16;
    /// IOV_MAX of limits.h: more pieces in one request are refused with EINVAL.
    public static final int MAX = 1024;

    static final int BASE = 0;
    static final int LEN = 8;

    private IoVec() {}

    /// Writes the piece at byte `at` of `vector`.
    public static void set(MemorySegment vector, long at, long address, long length) {
        vector.set(ValueLayout.JAVA_LONG, at + BASE, address);
        vector.set(ValueLayout.JAVA_LONG, at + LEN, length);
    }
}
