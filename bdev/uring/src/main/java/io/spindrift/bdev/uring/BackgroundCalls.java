package io.spindrift.bdev.uring;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.framework.Errno;
import io.spindrift.framework.thread.Control;
import io.spindrift.framework.thread.IoThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// I/O for which io_uring has no request: system calls on the pool for blocking ones, told to the IoThread when done.
///
/// Rare and slow by nature, so that they may allocate.
final class BackgroundCalls {
    /// A call's outcome: a status, and a block number for seeks.
    private record Outcome(long status, long result) {
        static Outcome ofErrno(int errno) {
            return new Outcome(BdevStatus.errno(errno), 0);
        }
    }

    private interface Call {
        Outcome make();
    }

    private final FileCalls calls;
    private final Control control;

    BackgroundCalls(FileCalls calls, Control control) {
        this.calls = calls;
        this.control = control;
    }

    /// Finds the next data or hole of a file.
    void seek(BdevIo io, ChannelFile channelFile) {
        OpenFile file = channelFile.backend.file();
        boolean data = io.type() == BdevIoType.SEEK_DATA;
        long offset = io.offsetBlocks() * file.blockSize();
        long end = io.bdev().numBlocks() * file.blockSize();
        start(io, () -> {
            long found = calls.lseek(file.fd(), offset, data ? FileCalls.SEEK_DATA : FileCalls.SEEK_HOLE);
            if (found == -Errno.ENXIO || found >= end) {
                return new Outcome(BdevStatus.SUCCESS, Long.MAX_VALUE);
            }
            // A block that is partly data is data.
            return found < 0
                    ? Outcome.ofErrno((int) -found)
                    : new Outcome(BdevStatus.SUCCESS, (data ? found : found + file.blockSize() - 1) / file.blockSize());
        });
    }

    /// Discards blocks of a block device.
    void discard(BdevIo io, ChannelFile channelFile) {
        OpenFile file = channelFile.backend.file();
        long offset = io.offsetBlocks() * file.blockSize();
        long length = io.numBlocks() * file.blockSize();
        start(io, () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment range = arena.allocateFrom(ValueLayout.JAVA_LONG, offset, length);
                int rc = calls.ioctl(file.fd(), FileCalls.BLKDISCARD, range);
                return rc < 0 ? Outcome.ofErrno(-rc) : new Outcome(BdevStatus.SUCCESS, 0);
            }
        });
    }

    private void start(BdevIo io, Call call) {
        IoThread thread = io.channel().thread();
        control.fromReactor(() -> {
            Outcome outcome = make(call);
            thread.send(() -> {
                io.result(outcome.result());
                io.complete(outcome.status());
            });
        });
    }

    private Outcome make(Call call) {
        try {
            return control.blocking(call::make);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.ofErrno(Errno.EINTR);
        } catch (Exception e) {
            return Outcome.ofErrno(Errno.EIO);
        }
    }
}
