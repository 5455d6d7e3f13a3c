package io.spindrift.framework.thread;

import io.spindrift.framework.trace.ThreadTracepoints;

/// One thread's handle on an [IoDevice], shared by all who get it there and reference-counted.
///
/// All methods run on the owning thread.
public abstract class IoChannel {
    private final IoDevice<?> device;
    private final IoThread thread;
    private final Message destroy = new Message() {
        @Override
        protected void run() {
            destroyIfUnused();
        }

        @Override
        protected void rejected() {
            destroyIfUnused();
        }
    };
    private final long id;
    private int references;
    private boolean destroying;

    /// Called by [IoDevice#createChannel(IoThread)] on `thread`.
    protected IoChannel(IoDevice<?> device, IoThread thread) {
        this.device = device;
        this.thread = thread;
        this.id = device.reactors().nextChannelId();
    }

    /// Unique among the channels of an application.
    public final long id() {
        return id;
    }

    public final IoDevice<?> device() {
        return device;
    }

    public final IoThread thread() {
        return thread;
    }

    /// How many hold this channel.
    public final int references() {
        return references;
    }

    final void retain() {
        references++;
        thread.probes().fire(ThreadTracepoints.IOCH_GET, thread.now(), id, 0, references, 0, 0);
    }

    /// Gives one reference back. The last one destroys the channel, a message later, so that a channel may be
    /// released from code that it called itself.
    public final void release() {
        assert thread.isCurrent();
        if (references <= 0) {
            throw new IllegalStateException("channel of " + device.name() + " released more often than taken");
        }
        references--;
        thread.probes().fire(ThreadTracepoints.IOCH_PUT, thread.now(), id, 0, references, 0, 0);
        if (references == 0 && !destroying) {
            destroying = true;
            if (!thread.send(destroy)) {
                destroyIfUnused();
            }
        }
    }

    private void destroyIfUnused() {
        destroying = false;
        if (references == 0) {
            thread.forget(this);
            onDestroy();
            device.channelDestroyed();
        }
    }

    /// Frees what the channel holds. On its thread, once, after the last release.
    protected void onDestroy() {}
}
