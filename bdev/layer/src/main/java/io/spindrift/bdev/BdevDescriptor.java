package io.spindrift.bdev;

import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import java.util.concurrent.CountDownLatch;

/// An open device: the right to use it, and the place where its threads' channels come from.
///
/// `channel()` on an IoThread gives that thread's [BdevChannel]; release it there. [#close()] from any thread: the
/// descriptor is gone when its last channel is.
public final class BdevDescriptor extends IoDevice<BdevChannel> {
    private final Bdev bdev;
    private final boolean writable;
    private final IoThread eventThread;
    private final BdevEvents events;
    private final CountDownLatch closed = new CountDownLatch(1);

    BdevDescriptor(Bdev bdev, boolean writable, IoThread eventThread, BdevEvents events) {
        super(bdev.registry().reactors(), "bdev_" + bdev.name());
        this.bdev = bdev;
        this.writable = writable;
        this.eventThread = eventThread;
        this.events = events;
    }

    public Bdev bdev() {
        return bdev;
    }

    /// Whether it was opened for writing.
    public boolean writable() {
        return writable;
    }

    @Override
    protected BdevChannel createChannel(IoThread thread) {
        return new BdevChannel(this, thread);
    }

    /// Gives the device back: no more channels; those that exist go on until they are released. Any thread, once:
    /// [IllegalStateException] the second time, and so from [#closeAndWait()] after this.
    public void close() {
        unregister();
    }

    /// [#close()], then waits until the last channel is gone. On a control thread.
    public void closeAndWait() throws InterruptedException {
        close();
        closed.await();
    }

    @Override
    protected void onFreed() {
        bdev.registry().closed(this);
        closed.countDown();
    }

    void tellRemoved() {
        eventThread.send(() -> events.removed(this));
    }

    void tellResized() {
        eventThread.send(() -> events.resized(this));
    }
}
