package io.spindrift.bdev.nvme;

import io.spindrift.nvme.QueuePair;

/// A thread's way to a namespace through one controller. On its thread.
final class IoPath {
    private final NvmeBdevChannel owner;
    private final NamespacePath namespace;
    private final ControllerChannel channel;
    private final PathStatistics statistics = new PathStatistics();

    IoPath(NvmeBdevChannel owner, NamespacePath namespace, ControllerChannel channel) {
        this.owner = owner;
        this.namespace = namespace;
        this.channel = channel;
    }

    NamespacePath namespace() {
        return namespace;
    }

    ControllerChannel channel() {
        return channel;
    }

    PathStatistics statistics() {
        return statistics;
    }

    /// Where its commands go. Only if it is usable, or was when a command was sent.
    QueuePair queuePair() {
        return channel.queuePair();
    }

    boolean connected() {
        return channel.connected();
    }

    /// Whether I/O can go through it now.
    boolean usable() {
        return channel.connected() && namespace.accessible();
    }

    /// Whether it is usable or may become so: what waits for a path may wait for this one.
    boolean mayComeBack() {
        return channel.mayComeBack() && !namespace.path().hopeless() && namespace.mayComeBack();
    }

    /// What it is, or what was known of it, has changed.
    void changed() {
        owner.pathChanged();
    }
}
