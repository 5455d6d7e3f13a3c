package io.spindrift.nvmf;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;

/// A namespace on one poll group: the thread's channel of its device, and how many commands use it.
///
/// All methods run on the poll group's thread; the data path's allocate nothing. A command that has begun keeps its
/// `GroupNamespace` until it ends: the namespace's channel stays open as long.
public final class GroupNamespace {
    private final GroupSubsystem subsystem;
    private final BdevChannel channel;
    private final boolean lends;
    private final BdevCompletion givenBack = _ -> end();
    NvmfNamespace namespace;
    /// The last view that it was in; 0 if it has been in none.
    long viewVersion;
    private int outstanding;

    GroupNamespace(GroupSubsystem subsystem, NvmfNamespace namespace, BdevChannel channel) {
        this.subsystem = subsystem;
        this.namespace = namespace;
        this.channel = channel;
        this.lends = channel.bdev().supportsNatively(BdevIoType.ZCOPY_START);
    }

    /// The namespace as it is now.
    public NvmfNamespace namespace() {
        return namespace;
    }

    /// Where its I/O goes.
    public BdevChannel channel() {
        return channel;
    }

    /// Whether reads may borrow the device's own memory.
    public boolean lends() {
        return lends;
    }

    /// Gives back what the device has lent to a command (`start` is the I/O by which it did), which is counted out with that.
    public void giveBack(BdevIo start) {
        channel.zcopyEnd(start, false, givenBack);
    }

    /// Counts a command in, which has found no pause.
    public void begin() {
        outstanding++;
    }

    /// Counts a command out, after its last use of the channel.
    public void end() {
        outstanding--;
        assert outstanding >= 0;
        if (outstanding == 0) {
            subsystem.checkQuiet();
        }
    }

    /// Whether a change waits for its commands to end, and with the change what other hosts want of it.
    public boolean awaited() {
        return outstanding > 0 && subsystem.awaits(namespace.nsid());
    }

    /// How many commands have begun and not ended.
    public int outstanding() {
        return outstanding;
    }
}
