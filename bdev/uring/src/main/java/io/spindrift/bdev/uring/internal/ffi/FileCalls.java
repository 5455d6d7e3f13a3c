package io.spindrift.bdev.uring.internal.ffi;

import java.lang.foreign.MemorySegment;

/// The system calls on files that the module makes outside of a ring, with their C names.
///
/// Each returns what C returns or, for -1, the negated errno. All may block: platform threads of a control path only.
/// An interface, so that a test can refuse what this machine's files allow.
public interface FileCalls {
    int O_RDONLY = 0;
    int O_RDWR = 2;
    int O_DIRECT = 0x4000;
    int O_CLOEXEC = 0x80000;

    int SEEK_DATA = 3;
    int SEEK_HOLE = 4;

    int FALLOC_FL_KEEP_SIZE = 1;
    int FALLOC_FL_PUNCH_HOLE = 2;
    int FALLOC_FL_ZERO_RANGE = 0x10;

    /// Logical block size of a block device, an `int` (linux/fs.h).
    long BLKSSZGET = 0x1268;
    /// Physical block size of a block device, an `int`.
    long BLKPBSZGET = 0x127b;
    /// Size of a block device in bytes, a `long`.
    long BLKGETSIZE64 = 0x80081272L;
    /// Discards a range of a block device: two `long`s, offset and length in bytes.
    long BLKDISCARD = 0x1277;

    int open(String path, int flags);

    int close(int fd);

    /// Fills `buffer`, a [Statx], with what the kernel knows of the open file.
    int statx(int fd, MemorySegment buffer);

    int ioctl(int fd, long request, MemorySegment argument);

    int fallocate(int fd, int mode, long offset, long length);

    long lseek(int fd, long offset, int whence);

    long pread(int fd, MemorySegment buffer, long length, long offset);
}
