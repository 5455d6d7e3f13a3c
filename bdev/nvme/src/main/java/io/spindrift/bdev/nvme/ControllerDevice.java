package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;

/// What the channels of one controller come from: a queue pair for each thread, for all namespaces.
final class ControllerDevice extends IoDevice<ControllerChannel> {
    private final ControllerPath path;

    ControllerDevice(Reactors reactors, ControllerPath path) {
        super(reactors, "nvme_" + path.id().traddr());
        this.path = path;
    }

    @Override
    protected ControllerChannel createChannel(IoThread thread) {
        return new ControllerChannel(this, thread, path);
    }

    /// A way to `namespace` for a channel of its bdev; null if the controller is being closed. On an IoThread.
    IoPath use(NvmeBdevChannel owner, NamespacePath namespace) {
        ControllerChannel channel;
        try {
            channel = channel();
        } catch (IllegalStateException closing) {
            return null;
        }
        IoPath made = new IoPath(owner, namespace, channel);
        channel.addUser(made);
        return made;
    }
}
