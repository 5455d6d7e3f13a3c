package io.spindrift.framework.uring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A completion queue entry, struct io_uring_cqe of linux/io_uring.h (the 16-byte form).
public final class Cqe {
    public static final int SIZE = 16;

    static final int USER_DATA = 0;
    static final int RES = 8;
    static final int FLAGS = 12;

    /// The upper 16 bits of the flags name the provided buffer that was used.
    public static final int F_BUFFER = 1;
    /// The request will complete again: its user data stays in use.
    public static final int F_MORE = 1 << 1;
    /// More data was in the socket when this receive completed.
    public static final int F_SOCK_NONEMPTY = 1 << 2;
    /// A zero-copy send's buffer is free; the send itself completed before.
    public static final int F_NOTIF = 1 << 3;
    /// How far [#F_BUFFER]'s buffer number is shifted in the flags.
    public static final int BUFFER_SHIFT = 16;

    /// In the result of a notification ([#F_NOTIF]) of [Sqe#sendmsgZeroCopy]: the kernel has copied after
    /// all.
    public static final int NOTIF_USAGE_ZC_COPIED = 1 << 31;

    private Cqe() {}

    static long userData(MemorySegment ring, long at) {
        return ring.get(ValueLayout.JAVA_LONG, at + USER_DATA);
    }

    static int res(MemorySegment ring, long at) {
        return ring.get(ValueLayout.JAVA_INT, at + RES);
    }

    static int flags(MemorySegment ring, long at) {
        return ring.get(ValueLayout.JAVA_INT, at + FLAGS);
    }
}
