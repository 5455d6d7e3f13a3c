package io.spindrift.framework.uring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A submission queue entry, struct io_uring_sqe of linux/io_uring.h (the 64-byte form), and how each request fills it.
///
/// Every preparing accessor takes [IoUring#sqes()] and an offset from [IoUring#nextSqe()], and writes all 64 bytes, so
/// that nothing of the entry's last use remains; the modifiers ([#fixedFile], [#link], ...) come after it.
/// `fd` is a descriptor, or an index of [RegisteredFiles] together with [#fixedFile]. `address` is the raw address of
/// memory whose range the caller has checked and which lives until the completion.
public final class Sqe {
    public static final int SIZE = 64;

    static final int OPCODE = 0;
    static final int FLAGS = 1;
    static final int IOPRIO = 2;
    static final int FD = 4;
    static final int OFF = 8;
    static final int ADDR = 16;
    static final int LEN = 24;
    static final int OP_FLAGS = 28;
    static final int USER_DATA = 32;
    static final int BUF_INDEX = 40;
    static final int PERSONALITY = 42;
    static final int FILE_INDEX = 44;
    static final int ADDR3 = 48;
    static final int PAD2 = 56;

    /// IOSQE_FIXED_FILE: `fd` is an index of the registered files.
    public static final int FLAG_FIXED_FILE = 1;
    /// IOSQE_IO_DRAIN: start after every earlier request has completed.
    public static final int FLAG_IO_DRAIN = 1 << 1;
    /// IOSQE_IO_LINK: the next request starts when this one has succeeded.
    public static final int FLAG_IO_LINK = 1 << 2;
    /// IOSQE_ASYNC: go to a worker at once, because the request is known to block.
    public static final int FLAG_ASYNC = 1 << 4;

    /// IOSQE_BUFFER_SELECT: the kernel takes a buffer of a [BufferRing].
    public static final int FLAG_BUFFER_SELECT = 1 << 5;

    /// IORING_RECV_MULTISHOT: go on receiving, one completion each time.
    static final int RECV_MULTISHOT = 1 << 1;
    /// IORING_SEND_ZC_REPORT_USAGE: the notification says whether the kernel copied.
    static final int SEND_ZC_REPORT_USAGE = 1 << 3;

    /// RWF_NOWAIT of preadv2(2): fail with EAGAIN instead of blocking.
    public static final int RWF_NOWAIT = 8;
    /// IORING_FSYNC_DATASYNC: as fdatasync(2).
    public static final int FSYNC_DATASYNC = 1;
    /// IORING_ASYNC_CANCEL_ALL: cancel every request that matches, not only the first.
    public static final int ASYNC_CANCEL_ALL = 1;
    /// IORING_ASYNC_CANCEL_FD: match by descriptor instead of user data.
    public static final int ASYNC_CANCEL_FD = 1 << 1;
    /// IORING_ASYNC_CANCEL_ANY: match every request of the ring.
    public static final int ASYNC_CANCEL_ANY = 1 << 2;

    private Sqe() {}

    /// Does nothing and completes with 0.
    public static void nop(MemorySegment sqes, long at, long userData) {
        prepare(sqes, at, Opcode.NOP, -1, 0, 0, 0, 0, userData, 0);
    }

    /// Reads up to `length` bytes at `fileOffset`, as pread(2).
    public static void read(MemorySegment sqes, long at, int fd, long address, int length, long fileOffset,
            long userData) {
        prepare(sqes, at, Opcode.READ, fd, fileOffset, address, length, 0, userData, 0);
    }

    /// Writes up to `length` bytes at `fileOffset`, as pwrite(2).
    public static void write(MemorySegment sqes, long at, int fd, long address, int length, long fileOffset,
            long userData) {
        prepare(sqes, at, Opcode.WRITE, fd, fileOffset, address, length, 0, userData, 0);
    }

    /// As [#read], into memory inside the registered buffer `bufferIndex`.
    public static void readFixed(MemorySegment sqes, long at, int fd, long address, int length, long fileOffset,
            int bufferIndex, long userData) {
        prepare(sqes, at, Opcode.READ_FIXED, fd, fileOffset, address, length, 0, userData, bufferIndex);
    }

    /// As [#write], from memory inside the registered buffer `bufferIndex`.
    public static void writeFixed(MemorySegment sqes, long at, int fd, long address, int length, long fileOffset,
            int bufferIndex, long userData) {
        prepare(sqes, at, Opcode.WRITE_FIXED, fd, fileOffset, address, length, 0, userData, bufferIndex);
    }

    /// Reads into `count` pieces of memory; `vector` is the address of that many [IoVec], which the kernel has read
    /// when [IoUring#submit()] returns.
    public static void readv(MemorySegment sqes, long at, int fd, long vector, int count, long fileOffset,
            long userData) {
        prepare(sqes, at, Opcode.READV, fd, fileOffset, vector, count, 0, userData, 0);
    }

    /// Writes from `count` pieces of memory; `vector` as for [#readv].
    public static void writev(MemorySegment sqes, long at, int fd, long vector, int count, long fileOffset,
            long userData) {
        prepare(sqes, at, Opcode.WRITEV, fd, fileOffset, vector, count, 0, userData, 0);
    }

    /// Makes what was written durable; `flags` is 0 or [#FSYNC_DATASYNC].
    public static void fsync(MemorySegment sqes, long at, int fd, int flags, long userData) {
        prepare(sqes, at, Opcode.FSYNC, fd, 0, 0, 0, flags, userData, 0);
    }

    /// As fallocate(2): `mode` is FALLOC_FL_*, `fileOffset` and `length` are bytes.
    public static void fallocate(MemorySegment sqes, long at, int fd, int mode, long fileOffset, long length,
            long userData) {
        prepare(sqes, at, Opcode.FALLOCATE, fd, fileOffset, length, mode, 0, userData, 0);
    }

    /// Completes once with the ready events when `fd` is ready for `events` (POLLIN, POLLOUT).
    public static void pollAdd(MemorySegment sqes, long at, int fd, int events, long userData) {
        prepare(sqes, at, Opcode.POLL_ADD, fd, 0, 0, 0, events, userData, 0);
    }

    /// Tries to cancel the request with user data `target`; completes with 0 when it did, -ENOENT when there is no
    /// such request, -EALREADY when it has got too far. The cancelled request completes too, with -ECANCELED.
    public static void asyncCancel(MemorySegment sqes, long at, long target, int flags, long userData) {
        prepare(sqes, at, Opcode.ASYNC_CANCEL, -1, 0, target, 0, flags, userData, 0);
    }

    /// Receives again and again, each time into a buffer of the [BufferRing] with number `bufferGroup`, whose number is in
    /// the completion's flags (Linux 6.0). The last completion has no [Cqe#F_MORE]: 0 at the end of the stream, -ENOBUFS
    /// when there was no buffer. The socket must be a blocking one.
    public static void recvMultishot(MemorySegment sqes, long at, int fd, int bufferGroup, long userData) {
        prepare(sqes, at, Opcode.RECV, fd, 0, 0, 0, 0, userData, bufferGroup);
        addFlags(sqes, at, FLAG_BUFFER_SELECT);
        sqes.set(ValueLayout.JAVA_SHORT, at + IOPRIO, (short) RECV_MULTISHOT);
    }

    /// As sendmsg(2): `message` is the address of a struct msghdr. It, and what it points to, live until the completion.
    public static void sendmsg(MemorySegment sqes, long at, int fd, long message, int flags, long userData) {
        prepare(sqes, at, Opcode.SENDMSG, fd, 0, message, 1, flags, userData, 0);
    }

    /// As [#sendmsg], without a copy (Linux 6.1). If the completion has [Cqe#F_MORE] another one with [Cqe#F_NOTIF] follows
    /// when the kernel has let go of the bytes, which says whether it copied after all.
    public static void sendmsgZeroCopy(MemorySegment sqes, long at, int fd, long message, int flags, long userData) {
        prepare(sqes, at, Opcode.SENDMSG_ZC, fd, 0, message, 1, flags, userData, 0);
        sqes.set(ValueLayout.JAVA_SHORT, at + IOPRIO, (short) SEND_ZC_REPORT_USAGE);
    }

    /// Writes a whole entry. The other preparing accessors are this with names; new opcodes need no new code here.
    public static void prepare(MemorySegment sqes, long at, int opcode, int fd, long off, long addr, int len,
            int opFlags, long userData, int bufIndex) {
        sqes.set(ValueLayout.JAVA_INT, at + OPCODE, opcode);
        sqes.set(ValueLayout.JAVA_INT, at + FD, fd);
        sqes.set(ValueLayout.JAVA_LONG, at + OFF, off);
        sqes.set(ValueLayout.JAVA_LONG, at + ADDR, addr);
        sqes.set(ValueLayout.JAVA_INT, at + LEN, len);
        sqes.set(ValueLayout.JAVA_INT, at + OP_FLAGS, opFlags);
        sqes.set(ValueLayout.JAVA_LONG, at + USER_DATA, userData);
        sqes.set(ValueLayout.JAVA_LONG, at + BUF_INDEX, bufIndex & 0xFFFFL);
        sqes.set(ValueLayout.JAVA_LONG, at + ADDR3, 0L);
        sqes.set(ValueLayout.JAVA_LONG, at + PAD2, 0L);
    }

    /// Says that the entry's `fd` is an index of [RegisteredFiles].
    public static void fixedFile(MemorySegment sqes, long at) {
        addFlags(sqes, at, FLAG_FIXED_FILE);
    }

    /// Makes the next entry wait for this one's success.
    public static void link(MemorySegment sqes, long at) {
        addFlags(sqes, at, FLAG_IO_LINK);
    }

    /// Adds IOSQE_* `flags` to a prepared entry.
    public static void addFlags(MemorySegment sqes, long at, int flags) {
        sqes.set(ValueLayout.JAVA_BYTE, at + FLAGS, (byte) (sqes.get(ValueLayout.JAVA_BYTE, at + FLAGS) | flags));
    }

    /// Sets RWF_* `flags` of a prepared read or write.
    public static void rwFlags(MemorySegment sqes, long at, int flags) {
        sqes.set(ValueLayout.JAVA_INT, at + OP_FLAGS, flags);
    }
}
