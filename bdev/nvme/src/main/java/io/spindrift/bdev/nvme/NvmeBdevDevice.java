package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;

/// What the channels of one bdev come from.
final class NvmeBdevDevice extends IoDevice<NvmeBdevChannel> {
    private final NvmeBdev bdev;

    NvmeBdevDevice(Reactors reactors, NvmeBdev bdev) {
        super(reactors, "bdev_nvme_" + bdev.name());
        this.bdev = bdev;
    }

    @Override
    protected NvmeBdevChannel createChannel(IoThread thread) {
        return new NvmeBdevChannel(this, thread, bdev);
    }
}
