package io.spindrift.bdev.uring;

/// What a channel keeps for one file: its place in the ring's table of files, and how much is in flight on it.
final class ChannelFile {
    final UringBackend backend;
    /// Index in the ring's registered files, or -1 to use the descriptor.
    int index = -1;
    /// The ring that `index` is in, null before the first use.
    OwnedRing ring;
    int inFlight;
    /// Runs once when nothing is in flight any more; null if nobody waits.
    Runnable whenIdle;

    ChannelFile(UringBackend backend) {
        this.backend = backend;
    }

    int descriptor() {
        return index >= 0 ? index : backend.file().fd();
    }

    boolean registered() {
        return index >= 0;
    }
}
