package io.spindrift.framework.uring;

/// Receives the completions of a ring, on the thread that polls it, one after another.
///
/// May prepare new requests on the same ring; they are submitted by the next poll. Must not poll the ring itself,
/// block, or throw: an exception ends the poll, and the completions not yet seen stay for the next one.
@FunctionalInterface
public interface CompletionHandler {
    /// `userData` is what the request was prepared with, `result` a count or a negated errno, `flags` bits of [Cqe].
    void complete(long userData, int result, int flags);
}
