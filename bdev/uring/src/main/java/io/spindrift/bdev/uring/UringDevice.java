package io.spindrift.bdev.uring;

import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/// What all uring bdevs of an application share: a channel, and with it a ring, for each IoThread that uses one.
final class UringDevice extends IoDevice<UringChannel> {
    private final BackgroundCalls background;
    private final Supplier<OwnedRing> ringOpener;
    private final List<UringChannel> channels = new CopyOnWriteArrayList<>();

    UringDevice(Reactors reactors, BackgroundCalls background, Supplier<OwnedRing> ringOpener) {
        super(reactors, "bdev_uring");
        this.background = background;
        this.ringOpener = ringOpener;
    }

    /// Opens a ring for the thread that asks.
    Supplier<OwnedRing> ringOpener() {
        return ringOpener;
    }

    BackgroundCalls background() {
        return background;
    }

    @Override
    protected UringChannel createChannel(IoThread thread) {
        UringChannel channel = new UringChannel(this, thread);
        channels.add(channel);
        return channel;
    }

    void destroyed(UringChannel channel) {
        channels.remove(channel);
    }

    /// Has every channel let go of `region`, soon. Any thread.
    void forget(MemoryRegion region) {
        for (UringChannel channel : channels) {
            channel.thread().send(() -> channel.forget(region));
        }
    }
}
