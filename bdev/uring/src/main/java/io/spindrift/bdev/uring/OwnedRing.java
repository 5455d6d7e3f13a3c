package io.spindrift.bdev.uring;

import io.spindrift.framework.uring.IoUring;
import io.spindrift.framework.uring.IoUringException;
import io.spindrift.framework.uring.IoUringOptions;
import io.spindrift.framework.uring.IoVec;
import io.spindrift.framework.uring.RegisteredFiles;
import io.spindrift.framework.uring.Sqe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A ring with what belongs to it: an I/O vector for each entry, and the tables of files and memory.
///
/// The kernel has read an entry's vector when the entry can be taken again, so each entry has one for good.
final class OwnedRing implements AutoCloseable {
    /// Ranges of an I/O that go into one entry; more go into further entries, one after the other.
    static final int RANGES = 64;
    private static final int ENTRIES = 256;
    private static final int FILES = 256;
    private static final long VECTOR_SIZE = (long) RANGES * IoVec.SIZE;

    private final IoUring ring;
    private final RegisteredFiles files;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment vectors;
    private final PinnedMemory memory;

    /// Opens a ring for the current thread. Throws [IoUringException]; nothing is left open then.
    OwnedRing() {
        ring = IoUring.open(IoUringOptions.ofEntries(ENTRIES));
        try {
            vectors = arena.allocate(ring.entries() * VECTOR_SIZE, Long.BYTES);
            files = filesOf(ring);
            memory = new PinnedMemory(ring);
        } catch (RuntimeException | OutOfMemoryError e) {
            close();
            throw e;
        }
    }

    private static RegisteredFiles filesOf(IoUring ring) {
        try {
            return ring.registerFiles(FILES);
        } catch (IoUringException e) {
            return null; // a table longer than the limit of open files: descriptors do as well
        }
    }

    IoUring ring() {
        return ring;
    }

    MemorySegment vectors() {
        return vectors;
    }

    PinnedMemory memory() {
        return memory;
    }

    /// Where in [#vectors()] the entry at byte `at` of the ring's entries has its vector.
    static long vectorOf(long at) {
        return at / Sqe.SIZE * VECTOR_SIZE;
    }

    /// Puts `fd` into the table; a negative index if it stays out.
    int register(int fd) {
        return files == null ? -1 : Math.max(-1, files.add(fd));
    }

    void unregister(int index) {
        files.remove(index);
    }

    /// Everything that was submitted has ended.
    @Override
    public void close() {
        ring.close();
        arena.close();
    }
}
