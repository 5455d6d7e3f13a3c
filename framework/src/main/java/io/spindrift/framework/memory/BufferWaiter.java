package io.spindrift.framework.memory;

/// What waits for a buffer when a pool has run out, and its own queue node: waiting allocates nothing.
///
/// It belongs to one thread, and can wait in one place at a time; it may wait again from within [#onBuffer].
public abstract class BufferWaiter {
    BufferWaiter previous;
    BufferWaiter next;
    /// Where it waits, or null.
    BufferCache queue;
    /// Its place among all threads' waiters for the pool.
    long ticket;

    /// For subclasses.
    protected BufferWaiter() {}

    /// Takes the buffer that was asked for, on the thread that asked, after those who asked there before. From now on
    /// it is the waiter's to release, even if this throws (which is reported and contained).
    protected abstract void onBuffer(Buffer buffer);

    /// Whether it is queued. On its thread.
    public final boolean isWaiting() {
        return queue != null;
    }
}
