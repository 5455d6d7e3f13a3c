package io.spindrift.framework.thread;

import java.util.List;

/// A shared object that threads use through an [IoChannel] of their own each.
///
/// ```
///   IoDevice ---- thread A: IoChannel (n references)
///            \--- thread B: IoChannel (m references)
/// ```
/// A device is freed after its last channel: [#unregister()] stops new ones and [#onFreed()] runs when none is left.
public abstract class IoDevice<C extends IoChannel> {
    /// Visits one channel on its thread, and calls [ForEachChannel#next(int)] when it is done with it.
    @FunctionalInterface
    public interface ChannelVisitor<C extends IoChannel> {
        void visit(C channel, ForEachChannel<C> iteration);
    }

    private final Reactors reactors;
    private final String name;
    private int channels;
    private boolean unregistered;
    private boolean freed;

    protected IoDevice(Reactors reactors, String name) {
        this.reactors = reactors;
        this.name = name;
    }

    public final String name() {
        return name;
    }

    public final Reactors reactors() {
        return reactors;
    }

    /// Makes the channel of `thread`, which is the current one. May throw: then nobody gets it.
    protected abstract C createChannel(IoThread thread);

    /// Runs once, on the thread that gave up the last hold, when the device is unregistered and has no channel.
    protected void onFreed() {}

    /// The current thread's channel, made if need be; give it back with [IoChannel#release()].
    ///
    /// [IllegalStateException] off an IoThread, or if there is none yet and the device is unregistered.
    @SuppressWarnings("unchecked") // only this device's channels are kept under it
    public final C channel() {
        IoThread thread = IoThread.current();
        if (thread == null) {
            throw new IllegalStateException("device " + name + ": a channel belongs to an IoThread; call it there");
        }
        C channel = (C) thread.channelOf(this);
        if (channel == null) {
            synchronized (this) {
                if (unregistered) {
                    throw new IllegalStateException("device " + name + " is unregistered");
                }
                channels++;
            }
            boolean made = false;
            try {
                channel = createChannel(thread);
                made = true;
            } finally {
                if (!made) {
                    channelDestroyed();
                }
            }
            thread.remember(channel);
        }
        channel.retain();
        return channel;
    }

    /// Visits the channel of every thread that has one, one thread after the other, and at last runs `done` on the
    /// current thread with the first non-zero status (or 0). On an IoThread; allocates: not for each I/O.
    public final void forEachChannel(ChannelVisitor<C> visitor, java.util.function.IntConsumer done) {
        new ForEachChannel<>(this, IoThread.current(), visitor, done).next(0);
    }

    /// Visits the channel of every thread that has one and returns when all have been visited: for control threads.
    @SuppressWarnings("unchecked") // as in channel()
    public final void visitChannels(java.util.function.Consumer<C> visitor) {
        for (IoThread thread : reactors.threads()) {
            thread.callIfAlive(() -> {
                C channel = (C) thread.channelOf(this);
                if (channel != null) {
                    visitor.accept(channel);
                }
            });
        }
    }

    /// Lets no more channels be made; [#onFreed()] runs when the last one is gone, perhaps before this returns. Any
    /// thread, once: [IllegalStateException] the second time.
    public final void unregister() {
        synchronized (this) {
            if (unregistered) {
                throw new IllegalStateException("device " + name + " is already unregistered");
            }
            unregistered = true;
        }
        freeIfUnused();
    }

    /// How many threads have a channel. Any thread.
    public final synchronized int channelCount() {
        return channels;
    }

    final void channelDestroyed() {
        synchronized (this) {
            channels--;
        }
        freeIfUnused();
    }

    private void freeIfUnused() {
        synchronized (this) {
            if (!unregistered || channels > 0 || freed) {
                return;
            }
            freed = true;
        }
        onFreed();
    }

    /// The threads to visit, as of now.
    final List<IoThread> threadsToVisit() {
        return reactors.threads();
    }
}
