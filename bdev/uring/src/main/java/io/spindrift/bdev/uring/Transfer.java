package io.spindrift.bdev.uring;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.uring.IoVec;
import io.spindrift.framework.uring.Sqe;
import java.lang.foreign.MemorySegment;

/// Prepares entries that read and write: one range by its address, several as a vector.
///
/// Never asks for more than the request's bytes, however long the I/O's vector is.
final class Transfer {
    /// The kernel moves a little less than 2 GiB for one entry; what is left takes another.
    private static final long MOST = 1L << 30;

    private Transfer() {}

    /// Prepares the entry at byte `at` of the ring's entries for what `request` has left, at byte `offset` of the file.
    static void prepare(OwnedRing ring, long at, UringRequest request, long offset) {
        BdevIo io = request.io;
        IoVector vector = io.vector();
        int range = request.range;
        long left = request.length - request.done;
        long address = vector.address(range) + request.rangeDone;
        long length = Math.min(vector.length(range) - request.rangeDone, MOST);
        MemorySegment sqes = ring.ring().sqes();
        int fd = descriptor(request);
        if (length < left && length < MOST) {
            several(ring, at, request, offset);
        } else {
            int bytes = (int) Math.min(length, left);
            request.issued = bytes;
            int buffer = request.buffered || !request.file.backend.file().direct()
                    ? PinnedMemory.NONE
                    : ring.memory().indexOf(vector.region(range), address, bytes);
            if (buffer >= 0) {
                registered(sqes, at, request, fd, address, bytes, offset, buffer);
            } else if (io.type() == BdevIoType.READ) {
                Sqe.read(sqes, at, fd, address, bytes, offset, request.slot);
            } else {
                Sqe.write(sqes, at, fd, address, bytes, offset, request.slot);
            }
        }
    }

    private static void registered(MemorySegment sqes, long at, UringRequest request, int fd, long address, int bytes,
            long offset, int buffer) {
        if (request.io.type() == BdevIoType.READ) {
            Sqe.readFixed(sqes, at, fd, address, bytes, offset, buffer, request.slot);
        } else {
            Sqe.writeFixed(sqes, at, fd, address, bytes, offset, buffer, request.slot);
        }
    }

    private static int descriptor(UringRequest request) {
        return request.buffered ? request.file.backend.file().bufferedFd() : request.file.descriptor();
    }

    private static void several(OwnedRing ring, long at, UringRequest request, long offset) {
        IoVector vector = request.io.vector();
        MemorySegment vectors = ring.vectors();
        long vectorAt = OwnedRing.vectorOf(at);
        long left = Math.min(request.length - request.done, MOST);
        long skip = request.rangeDone;
        int count = 0;
        request.issued = 0;
        for (int range = request.range; left > 0 && count < OwnedRing.RANGES; range++) {
            long bytes = Math.min(vector.length(range) - skip, left);
            IoVec.set(vectors, vectorAt + (long) count * IoVec.SIZE, vector.address(range) + skip, bytes);
            request.issued += bytes;
            left -= bytes;
            skip = 0;
            count++;
        }
        long address = vectors.address() + vectorAt;
        if (request.io.type() == BdevIoType.READ) {
            Sqe.readv(ring.ring().sqes(), at, descriptor(request), address, count, offset, request.slot);
        } else {
            Sqe.writev(ring.ring().sqes(), at, descriptor(request), address, count, offset, request.slot);
        }
    }
}
