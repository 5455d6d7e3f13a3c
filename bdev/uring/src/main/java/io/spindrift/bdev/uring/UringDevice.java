package io.spindrift.bdev.uring;

import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;

/// What all uring bdevs of an application share: a channel, and with it a ring, for each IoThread that uses one.
final class UringDevice extends IoDevice<UringChannel> {
    private final BackgroundCalls background;

    UringDevice(Reactors reactors, BackgroundCalls background) {
        super(reactors, "bdev_uring");
        this.background = background;
    }

    BackgroundCalls background() {
        return background;
    }

    @Override
    protected UringChannel createChannel(IoThread thread) {
        return new UringChannel(this, thread);
    }
}
