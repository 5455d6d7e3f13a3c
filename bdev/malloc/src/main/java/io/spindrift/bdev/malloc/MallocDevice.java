package io.spindrift.bdev.malloc;

import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.util.concurrent.CountDownLatch;

/// The channels of one malloc bdev.
final class MallocDevice extends IoDevice<MallocChannel> {
    private final MallocStorage storage;
    private final CountDownLatch freed = new CountDownLatch(1);

    MallocDevice(Reactors reactors, String name, MallocStorage storage) {
        super(reactors, name);
        this.storage = storage;
    }

    @Override
    protected MallocChannel createChannel(IoThread thread) {
        return new MallocChannel(this, thread, storage);
    }

    @Override
    protected void onFreed() {
        freed.countDown();
    }

    /// Waits until the last channel is gone. On a control thread.
    void unregisterAndWait() throws InterruptedException {
        unregister();
        freed.await();
    }
}
