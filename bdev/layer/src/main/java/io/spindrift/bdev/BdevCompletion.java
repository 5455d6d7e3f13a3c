package io.spindrift.bdev;

/// Who is told that an I/O has ended: usually the caller's own pooled request object.
@FunctionalInterface
public interface BdevCompletion {
    /// `io` has ended with [BdevIo#status()]. Runs on the channel's thread, never inside the call that submitted it.
    /// `io` is the core's again when this returns; the vector is the caller's again now. It may submit more I/O.
    void completed(BdevIo io);
}
