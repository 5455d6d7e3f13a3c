package io.spindrift.bdev;

/// Decides whether an I/O may go on now: where a quality-of-service limiter hooks in.
///
/// A channel that has one asks it for each of a caller's I/Os, off the fast path. Those refused wait in order until
/// [SlowPath#readmit()]. A limiter deals quota to its channels' admissions in slices, from one owner thread, by
/// messages, and calls `readmit` with each.
interface IoAdmission {
    /// Whether `io` is within the quota, which it then uses up. On the channel's thread.
    boolean admit(BdevIo io);
}
