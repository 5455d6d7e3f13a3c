package io.spindrift.bdev;

import io.spindrift.framework.thread.IoDevice;
import java.util.Iterator;

/// Visits every channel of a device: descriptor by descriptor, thread by thread, from one owner thread.
final class ChannelWalk {
    private ChannelWalk() {}

    /// Starts on the owner, where `after` runs at the end.
    static void start(Bdev bdev, IoDevice.ChannelVisitor<BdevChannel> visitor, Runnable after) {
        next(bdev.descriptors.iterator(), visitor, after);
    }

    private static void next(Iterator<BdevDescriptor> rest, IoDevice.ChannelVisitor<BdevChannel> visitor,
            Runnable after) {
        if (rest.hasNext()) {
            rest.next().forEachChannel(visitor, status -> next(rest, visitor, after));
        } else {
            after.run();
        }
    }
}
