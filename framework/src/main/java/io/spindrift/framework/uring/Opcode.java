package io.spindrift.framework.uring;

/// The requests the framework makes of io_uring, enum io_uring_op of linux/io_uring.h.
///
/// Ints and not an enum: they go into entries on the data path.
public final class Opcode {
    public static final int NOP = 0;
    public static final int READV = 1;
    public static final int WRITEV = 2;
    public static final int FSYNC = 3;
    public static final int READ_FIXED = 4;
    public static final int WRITE_FIXED = 5;
    public static final int POLL_ADD = 6;
    public static final int SENDMSG = 9;
    public static final int RECVMSG = 10;
    public static final int ACCEPT = 13;
    public static final int ASYNC_CANCEL = 14;
    public static final int CONNECT = 16;
    public static final int FALLOCATE = 17;
    public static final int READ = 22;
    public static final int WRITE = 23;
    public static final int SEND = 26;
    public static final int RECV = 27;
    public static final int SEND_ZC = 47;
    public static final int SENDMSG_ZC = 48;

    private Opcode() {}
}
