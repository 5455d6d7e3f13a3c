package io.spindrift.bdev;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;

/// Looks at a device's queue depth at a period (`bdev_set_qd_sampling_period`). Belongs to the application's first thread.
///
/// Each channel is asked on its own thread, one after the other. Periods that pass meanwhile count with that sample.
final class QueueDepthSampler {
    private final Bdev bdev;
    private final long periodMicros;
    private final Poller poller;
    /// Summed up by one channel's thread after the other; the messages between them order it.
    private long gathered;
    private boolean gathering;
    private long periods;
    private volatile long queueDepth;
    private volatile long ioTimeMicros;
    private volatile long weightedIoTimeMicros;

    /// Samples until [#stop()]. On `owner`, the application's first thread.
    QueueDepthSampler(Bdev bdev, IoThread owner, long periodMicros) {
        this.bdev = bdev;
        this.periodMicros = periodMicros;
        this.poller = owner.addTimedPoller("bdev_queue_depth_" + bdev.name(), this::sample, periodMicros * 1000);
    }

    /// Starts one on the owner's thread, from a control thread.
    static QueueDepthSampler start(Bdev bdev, long periodMicros) {
        IoThread owner = bdev.registry().reactors().appThread();
        return owner.call(() -> new QueueDepthSampler(bdev, owner, periodMicros));
    }

    void stop() {
        bdev.registry().reactors().appThread().run(poller::unregister);
    }

    private int sample() {
        periods++;
        if (gathering) {
            return 0;
        }
        gathering = true;
        gathered = 0;
        ChannelWalk.start(bdev, (channel, walk) -> {
            gathered += channel.inFlight();
            walk.next(0);
        }, this::sampled);
        return 1;
    }

    private void sampled() {
        gathering = false;
        queueDepth = gathered;
        if (gathered > 0) {
            ioTimeMicros += periodMicros * periods;
            weightedIoTimeMicros += periodMicros * periods * gathered;
        }
        periods = 0;
    }

    long periodMicros() {
        return periodMicros;
    }

    long queueDepth() {
        return queueDepth;
    }

    /// Microseconds in which there was I/O.
    long ioTimeMicros() {
        return ioTimeMicros;
    }

    /// The same, times the depth.
    long weightedIoTimeMicros() {
        return weightedIoTimeMicros;
    }
}
