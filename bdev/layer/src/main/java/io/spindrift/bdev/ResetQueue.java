package io.spindrift.bdev;

import io.spindrift.framework.thread.IoThread;
import java.util.ArrayDeque;
import java.util.Queue;

/// The resets of one device, one after the other.
///
/// ```
///   freeze every channel  ->  module resets (on the caller's thread)  ->  thaw every channel  ->  next reset
/// ```
/// A frozen channel has given up what the core had queued and fails new I/O as aborted; what the module has, the module
/// ends. The queue belongs to the application's first thread.
final class ResetQueue {
    private final Bdev bdev;
    private final IoThread owner;
    private final Queue<BdevIo> waiting = new ArrayDeque<>();
    private BdevIo current;
    /// What a new channel starts with: set before the walk that freezes, cleared before the one that thaws.
    private volatile boolean frozen;

    ResetQueue(Bdev bdev, IoThread owner) {
        this.bdev = bdev;
        this.owner = owner;
    }

    /// Queues a reset from its channel's thread.
    void add(BdevIo io) {
        if (!owner.send(() -> onAdd(io))) {
            end(io, BdevStatus.ABORTED);
        }
    }

    private void onAdd(BdevIo io) {
        assert owner.isCurrent();
        waiting.add(io);
        if (current == null) {
            next();
        }
    }

    private void next() {
        current = waiting.poll();
        if (current != null) {
            BdevIo io = current;
            walk(true, () -> io.channel().thread().send(() -> resetModule(io)));
        }
    }

    /// Every channel is frozen: the module's turn, on the thread of the reset's channel.
    private void resetModule(BdevIo io) {
        io.special |= BdevIo.SPECIAL_RESETTING;
        if (bdev.supportsNatively(BdevIoType.RESET)) {
            io.channel().submitToModule(io);
        } else {
            io.channel().endLater(io, BdevStatus.SUCCESS);
        }
    }

    /// Every channel is thawed: the end of the reset, on the thread of its channel.
    private static void end(BdevIo io, long status) {
        io.special &= ~BdevIo.SPECIAL_RESETTING;
        io.status = status;
        io.state = BdevIo.ENDED;
        io.channel().finish(io);
    }

    /// The module has ended the reset; from the channel's thread.
    void ended(BdevIo io, long status) {
        boolean sent = owner.send(() -> walk(false, () -> {
            io.channel().thread().send(() -> end(io, status));
            next();
        }));
        if (!sent) {
            end(io, status); // the application is ending: nothing will thaw the channels
        }
    }

    /// Whether a channel that is being made starts frozen. Any thread.
    boolean frozen() {
        return frozen;
    }

    private void walk(boolean freeze, Runnable after) {
        frozen = freeze;
        ChannelWalk.start(bdev, (channel, walk) -> {
            channel.slow().freeze(freeze);
            walk.next(0);
        }, after);
    }
}
