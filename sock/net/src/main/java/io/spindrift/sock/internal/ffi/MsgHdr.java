package io.spindrift.sock.internal.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What sendmsg(2) and recvmsg(2) take: struct msghdr of socket.h on a 64-bit machine, for connected sockets.
public final class MsgHdr {
    public static final int SIZE = 56;

    static final int NAME = 0;
    static final int NAMELEN = 8;
    static final int IOV = 16;
    static final int IOVLEN = 24;
    static final int CONTROL = 32;
    static final int CONTROLLEN = 40;
    static final int FLAGS = 48;

    private MsgHdr() {}

    /// `count` pieces of memory at the address `iov`, nothing else.
    public static void set(MemorySegment message, long iov, long count) {
        setControl(message, iov, count, 0, 0);
    }

    /// As [#set], with room for control messages.
    public static void setControl(MemorySegment message, long iov, long count, long control, long controlLength) {
        message.set(ValueLayout.JAVA_LONG, NAME, 0);
        message.set(ValueLayout.JAVA_LONG, NAMELEN, 0);
        message.set(ValueLayout.JAVA_LONG, IOV, iov);
        message.set(ValueLayout.JAVA_LONG, IOVLEN, count);
        message.set(ValueLayout.JAVA_LONG, CONTROL, control);
        message.set(ValueLayout.JAVA_LONG, CONTROLLEN, controlLength);
        message.set(ValueLayout.JAVA_LONG, FLAGS, 0);
    }

    /// How many bytes of control messages the kernel wrote.
    public static long controlLength(MemorySegment message) {
        return message.get(ValueLayout.JAVA_LONG, CONTROLLEN);
    }
}
