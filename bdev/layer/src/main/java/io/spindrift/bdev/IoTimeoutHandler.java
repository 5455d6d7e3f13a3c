package io.spindrift.bdev;

/// Who is told of an I/O that takes too long; see [BdevChannel#timeout].
@FunctionalInterface
public interface IoTimeoutHandler {
    /// `io` has been on its way for longer than the limit. On the channel's thread, once for each I/O; `io` is still the
    /// core's: look at it, or abort it by its completion.
    void timedOut(BdevIo io);
}
