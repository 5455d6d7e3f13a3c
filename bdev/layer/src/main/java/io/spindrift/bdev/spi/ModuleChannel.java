package io.spindrift.bdev.spi;

import io.spindrift.bdev.BdevIo;
import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;

/// A module's handle on its device, one a thread: where I/O arrives.
///
/// Everything runs on the channel's thread.
public abstract class ModuleChannel extends IoChannel {
    /// Called by the module's [IoDevice#createChannel(IoThread)].
    protected ModuleChannel(IoDevice<?> device, IoThread thread) {
        super(device, thread);
    }

    /// Begins `io`, and sees to it that [BdevIo#complete(long)] is called exactly once, now or later.
    ///
    /// The core has checked range, rights, alignment and the vector's length, and split what is too long. Must not
    /// block, allocate or throw; an exception fails this I/O.
    public abstract void submit(BdevIo io);

    /// Makes what [BdevIo#moduleContext()] gives, once for each pooled I/O.
    public Object newIoContext() {
        return null;
    }
}
