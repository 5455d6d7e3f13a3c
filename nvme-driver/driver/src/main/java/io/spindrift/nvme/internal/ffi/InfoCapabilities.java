package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The chain of `struct vfio_info_cap_header` that answers of VFIO may have behind their fixed part (linux/vfio.h).
final class InfoCapabilities {
    /// id and version of 16 bits, then where the next one begins in the answer, or 0.
    static final int HEADER_SIZE = 8;
    private static final int NEXT = 4;
    /// More than there are kinds: a chain that runs in circles ends.
    private static final int LIMIT = 64;

    private InfoCapabilities() {}

    /// Where the capability `id` begins in the answer, or 0 if it has none. `first` is where the chain begins, or 0.
    static int find(MemorySegment info, int first, int id) {
        int at = first;
        for (int i = 0; at > 0 && at <= info.byteSize() - HEADER_SIZE && i < LIMIT; i++) {
            if (Short.toUnsignedInt(info.get(ValueLayout.JAVA_SHORT_UNALIGNED, at)) == id) {
                return at;
            }
            at = info.get(ValueLayout.JAVA_INT_UNALIGNED, at + NEXT);
        }
        return 0;
    }
}
