package io.spindrift.bdev.uring;

import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.bdev.uring.internal.ffi.LinuxFileCalls;
import java.lang.foreign.MemorySegment;

/// The machine's calls, which tests override one by one to refuse.
class FileCallsFake implements FileCalls {
    private final FileCalls real = new LinuxFileCalls();
    int opened;
    int closed;

    @Override
    public int open(String path, int flags) {
        int fd = real.open(path, flags);
        opened += fd >= 0 ? 1 : 0;
        return fd;
    }

    @Override
    public int close(int fd) {
        closed++;
        return real.close(fd);
    }

    @Override
    public int statx(int fd, MemorySegment buffer) {
        return real.statx(fd, buffer);
    }

    @Override
    public int ioctl(int fd, long request, MemorySegment argument) {
        return real.ioctl(fd, request, argument);
    }

    @Override
    public int fallocate(int fd, int mode, long offset, long length) {
        return real.fallocate(fd, mode, offset, length);
    }

    @Override
    public long lseek(int fd, long offset, int whence) {
        return real.lseek(fd, offset, whence);
    }

    @Override
    public long pread(int fd, MemorySegment buffer, long length, long offset) {
        return real.pread(fd, buffer, length, offset);
    }
}
