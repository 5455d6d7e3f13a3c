package io.spindrift.bdev;

/// A compare-and-write for a module that has none, or that cannot take the caller's memory as it lies: compare and write under a lock on the range.
final class CompareAndWrite {
    private final BdevChannel channel;
    private final BdevIo whole;

    private CompareAndWrite(BdevChannel channel, BdevIo whole) {
        this.channel = channel;
        this.whole = whole;
    }

    static void start(BdevChannel channel, BdevIo io) {
        CompareAndWrite sequence = new CompareAndWrite(channel, io);
        if (!channel.bdev().locks.lock(io, sequence::compare)) {
            channel.endLater(io, BdevStatus.ABORTED);
        }
    }

    private void compare() {
        channel.submitPart(BdevIoType.COMPARE, whole.vector, whole.offsetBlocks, whole.numBlocks, whole.options,
                this::compared);
    }

    private void compared(BdevIo io) {
        if (io.status() == BdevStatus.SUCCESS) {
            channel.submitPart(BdevIoType.WRITE, whole.secondVector, whole.offsetBlocks, whole.numBlocks,
                    whole.options, this::written);
        } else {
            unlock(io.status());
        }
    }

    private void written(BdevIo io) {
        unlock(io.status());
    }

    private void unlock(long status) {
        channel.bdev().locks.unlock(whole, () -> whole.complete(status));
    }
}
