package io.spindrift.bdev.uring;

import io.spindrift.bdev.BdevIo;

/// The module's part of one pooled I/O, made with it and used again with it.
final class UringRequest {
    static final int NO_SLOT = -1;

    BdevIo io;
    ChannelFile file;
    /// Where the [RequestTable] has it while the module has the I/O.
    int slot = NO_SLOT;
    /// Bytes to move, moved so far, and asked for by the entry in flight.
    long length;
    long done;
    long issued;
    /// Whether direct I/O has refused it, so that it goes through the page cache.
    boolean buffered;
    /// Where `done` is in the vector: a range and bytes of it.
    int range;
    long rangeDone;

    /// Notes `bytes` more as done.
    void advance(long bytes) {
        done += bytes;
        rangeDone += bytes;
        while (done < length && rangeDone >= io.vector().length(range)) {
            rangeDone -= io.vector().length(range);
            range++;
        }
    }
}
