package io.spindrift.nvme;

/// What the owner of a [QueuePair] is told of it. On its thread.
public interface QueuePairListener {
    /// For owners that need to know nothing.
    QueuePairListener IGNORE = new QueuePairListener() {};

    /// It takes commands: for the first time, or again after its controller was reset.
    default void connected(QueuePair queuePair) {}

    /// It takes no commands any more, for the reason in words; those that it had end with a status after this.
    default void disconnected(QueuePair queuePair, String reason) {}
}
