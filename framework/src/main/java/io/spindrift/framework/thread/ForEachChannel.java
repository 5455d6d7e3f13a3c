package io.spindrift.framework.thread;

import io.spindrift.framework.Errno;
import java.util.List;
import java.util.function.IntConsumer;

/// A walk over a device's channels, thread by thread; see [IoDevice#forEachChannel].
public final class ForEachChannel<C extends IoChannel> extends Message {
    private final IoDevice<C> device;
    private final IoThread origin;
    private final IoDevice.ChannelVisitor<C> visitor;
    private final IntConsumer done;
    private final List<IoThread> threads;
    private int index = -1;
    private int status;

    ForEachChannel(IoDevice<C> device, IoThread origin, IoDevice.ChannelVisitor<C> visitor, IntConsumer done) {
        if (origin == null) {
            throw new IllegalStateException("forEachChannel(" + device.name() + ") must start on an IoThread");
        }
        this.device = device;
        this.origin = origin;
        this.visitor = visitor;
        this.done = done;
        this.threads = device.threadsToVisit();
        origin.forEachStarted();
    }

    /// Goes on to the next thread; the first non-zero `result` is what the walk ends with, but it visits all. Once for
    /// each visit, on the visited thread.
    public void next(int result) {
        if (status == 0) {
            status = result;
        }
        while (++index < threads.size()) {
            if (threads.get(index).send(this)) {
                return;
            }
        }
        if (!origin.send(this)) {
            origin.forEachEnded();
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the device keeps only its own channels under it
    protected void run() {
        if (index >= threads.size()) {
            origin.forEachEnded();
            done.accept(status);
            return;
        }
        C channel = (C) threads.get(index).channelOf(device);
        if (channel == null) {
            next(0);
        } else {
            visit(channel);
        }
    }

    /// A visitor that throws has not gone on: the walk does, with an error, so that nobody waits for its end in vain.
    private void visit(C channel) {
        int at = index;
        try {
            visitor.visit(channel, this);
        } catch (Throwable t) {
            device.reactors().contain("a walk over the channels of " + device.name(), t);
            if (index == at) {
                next(-Errno.EIO);
            }
        }
    }

    @Override
    protected void rejected() {
        if (index >= threads.size()) {
            origin.forEachEnded();
        } else {
            next(0); // the thread exited: it has no channel left
        }
    }
}
