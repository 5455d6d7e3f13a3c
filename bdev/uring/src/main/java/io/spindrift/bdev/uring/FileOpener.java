package io.spindrift.bdev.uring;

import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.bdev.uring.internal.ffi.Statx;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens files and finds out what they allow. Every method may block; failures are [ErrnoException]s in a sentence.
final class FileOpener {
    /// Smallest block and sector of anything.
    static final int MIN_BLOCK_SIZE = 512;
    private static final int PAGE = 4096;
    private static final int S_IFMT = 0xf000;
    private static final int S_IFREG = 0x8000;
    private static final int S_IFBLK = 0x6000;
    private static final int PUNCH = FileCalls.FALLOC_FL_PUNCH_HOLE | FileCalls.FALLOC_FL_KEEP_SIZE;
    private static final int ZERO = FileCalls.FALLOC_FL_ZERO_RANGE | FileCalls.FALLOC_FL_KEEP_SIZE;

    private final FileCalls calls;

    FileOpener(FileCalls calls) {
        this.calls = calls;
    }

    /// Opens `filename`, direct if it can be. `blockSize` 0 has it detected: the sector size of a block device; of a
    /// file what direct I/O needs if the kernel says and the file's size fits, else 512.
    OpenFile open(String filename, boolean readOnly, int blockSize, boolean fallocates) {
        refuseOtherKinds(filename);
        int mode = FileCalls.O_CLOEXEC | (readOnly ? FileCalls.O_RDONLY : FileCalls.O_RDWR);
        int direct = calls.open(filename, mode | FileCalls.O_DIRECT);
        int buffered = direct >= 0 || direct == -Errno.EINVAL ? calls.open(filename, mode) : direct;
        if (buffered < 0) {
            closeAll(direct);
            throw cannotOpen(filename, -buffered, readOnly);
        }
        try (Arena arena = Arena.ofConfined()) {
            OpenFile file = examine(direct, buffered, filename, readOnly, blockSize, fallocates, arena);
            if (file.fd() == buffered) {
                closeAll(direct);
            }
            return file;
        } catch (RuntimeException e) {
            closeAll(direct, buffered);
            throw e;
        }
    }

    private void closeAll(int... fds) {
        for (int fd : fds) {
            if (fd >= 0) {
                calls.close(fd);
            }
        }
    }

    /// Closes what [#open] opened.
    void close(OpenFile file) {
        closeAll(file.fd(), file.bufferedFd());
    }

    /// Before opening, because opening a pipe would wait for its other end.
    private static void refuseOtherKinds(String filename) {
        if (filename.isEmpty()) {
            return; // java.nio's name of the current folder, and no file to the kernel
        }
        int kind;
        try {
            kind = (int) Files.getAttribute(Path.of(filename), "unix:mode") & S_IFMT;
        } catch (IOException | IllegalArgumentException e) {
            return; // open says it better
        }
        if (kind != S_IFREG && kind != S_IFBLK) {
            throw new ErrnoException(Errno.EINVAL,
                    "filename=" + filename + " is neither a regular file nor a block device");
        }
    }

    private static ErrnoException cannotOpen(String filename, int errno, boolean readOnly) {
        String hint = !readOnly && (errno == Errno.EACCES || errno == Errno.EROFS || errno == Errno.EPERM)
                ? "; bdev_aio_create with readonly opens what cannot be written"
                : "";
        return new ErrnoException(errno, "open " + filename + ": " + Errno.text(errno) + hint);
    }

    /// `direct` is negative if the file does not open that way; the result keeps it, or only `fd`.
    private OpenFile examine(int direct, int fd, String filename, boolean readOnly, int wantedBlockSize,
            boolean fallocates, Arena arena) {
        MemorySegment statx = arena.allocate(Statx.SIZE, Long.BYTES);
        Errno.check("statx " + filename, calls.statx(fd, statx));
        boolean device = Statx.isBlockDevice(statx);
        long size = device ? deviceSize(fd, filename, arena) : Statx.size(statx);
        int sector = device ? deviceNumber(fd, filename, FileCalls.BLKSSZGET, arena) : 0;
        int blockSize = wantedBlockSize != 0 ? wantedBlockSize : device ? sector : detected(statx, size, direct >= 0);
        checkBlockSize(filename, blockSize, sector);
        checkSize(filename, size, blockSize);
        boolean takesDirect = direct >= 0 && takesDirect(statx, blockSize)
                && readsDirect(direct, size, blockSize, arena);
        boolean allocates = fallocates && !readOnly;
        return new OpenFile(takesDirect ? direct : fd, takesDirect ? fd : -1, filename, device, takesDirect, readOnly,
                size, blockSize, device ? deviceNumber(fd, filename, FileCalls.BLKPBSZGET, arena) : blockSize,
                takesDirect ? memoryAlignment(statx) : 1,
                allocates && !device && allocates(fd, PUNCH, size) ? PUNCH : 0,
                !allocates ? 0 : device ? ZERO : zeroMode(fd, size),
                allocates && device && discards(Statx.deviceNumber(statx)));
    }

    private static int detected(MemorySegment statx, long size, boolean direct) {
        int align = direct && Statx.knowsDirectAlignment(statx) ? Statx.directOffsetAlignment(statx) : 0;
        return align > MIN_BLOCK_SIZE && size % align == 0 ? align : MIN_BLOCK_SIZE;
    }

    private static void checkBlockSize(String filename, int blockSize, int sector) {
        if (blockSize < MIN_BLOCK_SIZE || Integer.bitCount(blockSize) != 1) {
            throw new ErrnoException(Errno.EINVAL, "block_size=" + blockSize + " must be a power of two, at least "
                    + MIN_BLOCK_SIZE);
        }
        if (blockSize < sector) {
            throw new ErrnoException(Errno.EINVAL, "block_size=" + blockSize + " must be at least " + sector
                    + ", the sector size of " + filename);
        }
    }

    private static void checkSize(String filename, long size, int blockSize) {
        if (size == 0) {
            throw new ErrnoException(Errno.EINVAL, "filename=" + filename + " is empty; at least one block of "
                    + blockSize + " bytes is needed");
        }
        if (size % blockSize != 0) {
            throw new ErrnoException(Errno.EINVAL, "filename=" + filename + " has " + size
                    + " bytes, which is not a multiple of block_size=" + blockSize);
        }
    }

    /// Its size in bytes now, checked as when it was opened.
    long size(OpenFile file) {
        try (Arena arena = Arena.ofConfined()) {
            long size;
            if (file.blockDevice()) {
                size = deviceSize(file.fd(), file.filename(), arena);
            } else {
                MemorySegment statx = arena.allocate(Statx.SIZE, Long.BYTES);
                Errno.check("statx " + file.filename(), calls.statx(file.fd(), statx));
                size = Statx.size(statx);
            }
            checkSize(file.filename(), size, file.blockSize());
            return size;
        }
    }

    private long deviceSize(int fd, String filename, Arena arena) {
        MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
        Errno.check("ioctl BLKGETSIZE64 of " + filename, calls.ioctl(fd, FileCalls.BLKGETSIZE64, size));
        return size.get(ValueLayout.JAVA_LONG, 0);
    }

    private int deviceNumber(int fd, String filename, long request, Arena arena) {
        MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
        Errno.check("ioctl 0x" + Long.toHexString(request) + " of " + filename, calls.ioctl(fd, request, number));
        return number.get(ValueLayout.JAVA_INT, 0);
    }

    // ---- direct I/O -------------------------------------------------------------------------------------------

    private static boolean takesDirect(MemorySegment statx, int blockSize) {
        if (!Statx.knowsDirectAlignment(statx)) {
            return true;
        }
        int align = Statx.directOffsetAlignment(statx);
        return align != 0 && blockSize % align == 0;
    }

    /// Some file systems take the flag and refuse the I/O.
    private boolean readsDirect(int fd, long size, int blockSize, Arena arena) {
        MemorySegment buffer = arena.allocate(blockSize, Math.max(PAGE, blockSize));
        return calls.pread(fd, buffer, blockSize, size > blockSize ? blockSize : 0) != -Errno.EINVAL;
    }

    private static int memoryAlignment(MemorySegment statx) {
        int align = Statx.knowsDirectAlignment(statx) ? Statx.directMemoryAlignment(statx) : 0;
        return Integer.bitCount(align) == 1 ? align : PAGE;
    }

    // ---- unmapping --------------------------------------------------------------------------------------------

    private int zeroMode(int fd, long size) {
        if (allocates(fd, ZERO, size)) {
            return ZERO;
        }
        return allocates(fd, PUNCH, size) ? PUNCH : 0;
    }

    /// Tries `mode` on a range behind the end of the file, where it changes nothing.
    private boolean allocates(int fd, int mode, long size) {
        return calls.fallocate(fd, mode, (size + PAGE - 1) & -PAGE, PAGE) == 0;
    }

    /// Whether a block device (or the disk that a partition is on) discards, as sysfs says.
    private static boolean discards(String deviceNumber) {
        Path device = Path.of("/sys/dev/block", deviceNumber);
        for (String queue : new String[]{"queue", "../queue"}) {
            try {
                return Long.parseLong(Files.readString(device.resolve(queue).resolve("discard_max_bytes")).strip()) > 0;
            } catch (IOException e) {
                continue; // a partition has no queue of its own, a container perhaps no sysfs
            }
        }
        return false;
    }
}
