package io.spindrift.sock.internal.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A control message of a socket's error queue: struct cmsghdr of socket.h, then struct sock_extended_err of
/// linux/errqueue.h. It tells that zero-copy sends with the numbers `low` to `high` are over
/// (Documentation/networking/msg_zerocopy.rst).
public final class ErrorQueueMessage {
    /// Enough for the message and the address of the offender that follows it.
    public static final int ROOM = 128;

    static final int LEVEL = 8;
    static final int TYPE = 12;
    static final int DATA = 16;
    static final int EE_ERRNO = DATA;
    static final int EE_ORIGIN = DATA + 4;
    static final int EE_CODE = DATA + 6;
    static final int EE_INFO = DATA + 8;
    static final int EE_DATA = DATA + 12;
    static final int SIZE = DATA + 16;

    private static final int SOL_IP = 0;
    private static final int IP_RECVERR = 11;
    private static final int SOL_IPV6 = 41;
    private static final int IPV6_RECVERR = 25;
    private static final int SO_EE_ORIGIN_ZEROCOPY = 5;
    private static final int SO_EE_CODE_ZEROCOPY_COPIED = 1;

    private ErrorQueueMessage() {}

    /// Whether `control`, of which the kernel filled in `length` bytes, is the end of zero-copy sends.
    public static boolean isZeroCopyEnd(MemorySegment control, long length) {
        if (length < SIZE) {
            return false;
        }
        int level = control.get(ValueLayout.JAVA_INT, LEVEL);
        int type = control.get(ValueLayout.JAVA_INT, TYPE);
        boolean ours = level == SOL_IP && type == IP_RECVERR || level == SOL_IPV6 && type == IPV6_RECVERR;
        return ours && control.get(ValueLayout.JAVA_INT, EE_ERRNO) == 0
                && control.get(ValueLayout.JAVA_BYTE, EE_ORIGIN) == SO_EE_ORIGIN_ZEROCOPY;
    }

    /// Whether the kernel copied after all.
    public static boolean copied(MemorySegment control) {
        return (control.get(ValueLayout.JAVA_BYTE, EE_CODE) & SO_EE_CODE_ZEROCOPY_COPIED) != 0;
    }

    /// The number of the first send, modulo 2^32.
    public static int low(MemorySegment control) {
        return control.get(ValueLayout.JAVA_INT, EE_INFO);
    }

    /// The number of the last send, modulo 2^32.
    public static int high(MemorySegment control) {
        return control.get(ValueLayout.JAVA_INT, EE_DATA);
    }
}
