package io.spindrift.bdev;

/// Who waits for a pooled I/O; see [BdevChannel#waitForIo(IoWaiter)]. Owned by the caller, used again and again.
public abstract class IoWaiter {
    IoWaiter next;
    boolean waiting;

    /// For subclasses.
    protected IoWaiter() {}

    /// An I/O has come free: submit again. On the channel's thread, once for each wait.
    protected abstract void ioAvailable();
}
