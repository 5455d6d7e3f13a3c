package io.spindrift.bdev;

import java.util.ArrayList;
import java.util.List;

/// An abort on its way: what it found, and how many the module has still to answer. Rare: it may allocate.
final class AbortSequence implements BdevCompletion {
    private final BdevChannel channel;
    private final BdevIo abort;
    private int outstanding = 1;
    private boolean failed;

    AbortSequence(BdevChannel channel, BdevIo abort) {
        this.channel = channel;
        this.abort = abort;
    }

    /// Finds the I/Os whose completion is `target`, or the parts of such I/Os, and has each given up.
    void start(BdevCompletion target) {
        List<BdevIo> found = new ArrayList<>();
        channel.forEachInFlight(io -> {
            if (io != abort && (io.completion == target || partOf(io, target))) {
                found.add(io);
            }
        });
        failed = found.isEmpty();
        for (BdevIo io : found) {
            if (channel.slow().unqueue(io)) {
                channel.endLater(io, BdevStatus.ABORTED);
            } else if (!isDoneInParts(io, found)) {
                outstanding++;
                channel.abortInModule(io, this);
            }
        }
        answered();
    }

    private static boolean partOf(BdevIo io, BdevCompletion target) {
        return io.completion instanceof Part part && part.owner().whole().completion == target;
    }

    private static boolean isDoneInParts(BdevIo io, List<BdevIo> found) {
        return found.stream().anyMatch(other -> other.completion instanceof Part part && part.owner().whole() == io);
    }

    /// The module has answered for one; null if it cannot abort.
    @Override
    public void completed(BdevIo io) {
        failed |= io == null || io.status() != BdevStatus.SUCCESS;
        answered();
    }

    private void answered() {
        if (--outstanding == 0) {
            channel.endLater(abort, failed ? BdevStatus.FAILED : BdevStatus.SUCCESS);
        }
    }
}
