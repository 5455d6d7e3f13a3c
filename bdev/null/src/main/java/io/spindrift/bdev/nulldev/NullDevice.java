package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;

/// Where the I/O of all null bdevs without protection information goes: a thread has one channel for all of them.
final class NullDevice extends IoDevice<NullDevice.Channel> {
    NullDevice(Reactors reactors) {
        super(reactors, "bdev_null");
    }

    @Override
    protected Channel createChannel(IoThread thread) {
        return new Channel(this, thread);
    }

    /// Everything succeeds at once; a read leaves the buffer as it is.
    static final class Channel extends ModuleChannel {
        Channel(NullDevice device, IoThread thread) {
            super(device, thread);
        }

        @Override
        public void submit(BdevIo io) {
            io.complete(BdevStatus.SUCCESS);
        }
    }
}
