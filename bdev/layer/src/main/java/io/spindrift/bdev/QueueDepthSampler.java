package io.spindrift.bdev;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;

/// Looks at a device's queue depth at a period (`bdev_set_qd_sampling_period`). Belongs to the application's first thread.
///
/// The depths of channels on other threads are read without synchronisation: a sample may be one I/O behind.
final class QueueDepthSampler {
    private final Bdev bdev;
    private final long periodMicros;
    private final Poller poller;
    private volatile long queueDepth;
    private volatile long ioTimeMicros;
    private volatile long weightedIoTimeMicros;

    private QueueDepthSampler(Bdev bdev, IoThread owner, long periodMicros) {
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
        long depth = 0;
        for (BdevDescriptor descriptor : bdev.descriptors) {
            depth += descriptor.inFlight();
        }
        queueDepth = depth;
        if (depth > 0) {
            ioTimeMicros += periodMicros;
            weightedIoTimeMicros += periodMicros * depth;
        }
        return 0;
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
