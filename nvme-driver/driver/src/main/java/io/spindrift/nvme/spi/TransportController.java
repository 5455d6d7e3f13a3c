package io.spindrift.nvme.spi;

import io.spindrift.nvme.AdminCommands;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.QueuePair;
import java.util.Optional;

/// A transport's side of a controller. On the control path; may wait.
public abstract class TransportController {
    /// For subclasses.
    protected TransportController() {}

    /// Whether properties are read and queues made by Fabrics commands on the admin queue; else by [#property] and
    /// [#propertyTo], and by what [TransportQueuePair#connect] does.
    public abstract boolean fabrics();

    /// The controller's registers can be reached: before anything else of a connection, first or again.
    public void open() throws Exception {}

    /// Reads a property, of 4 or 8 bytes, by its offset. Not called of Fabrics.
    public long property(int offset, int bytes) {
        throw new UnsupportedOperationException("a Fabrics controller has no registers");
    }

    /// Writes a property. Not called of Fabrics.
    public void propertyTo(int offset, int bytes, long value) {
        throw new UnsupportedOperationException("a Fabrics controller has no registers");
    }

    /// The controller is disabled, and about to be enabled: gives it the addresses of the admin queue. Not called of
    /// Fabrics.
    public void prepareAdminQueue(int entries) {}

    /// The controller takes admin commands, has said what it is, and is about to be given I/O queues, for which it may be told
    /// more by `admin`.
    public void initialised(AdminCommands admin, ControllerData data) throws Exception {}

    /// A new queue pair, with room for the commands of `requests` requests; not connected.
    public abstract TransportQueuePair newQueuePair(QueuePair queuePair, int requests);

    /// All queue pairs are down: stops the device, so that it touches no memory any more. Before their disconnect.
    public void stop() {}

    /// The most bytes of data that a command may have, whatever the controller says.
    public long maxTransferBytes() {
        return Integer.MAX_VALUE;
    }

    /// The most ranges of memory that the data of a command may have.
    public int maxSegments() {
        return Integer.MAX_VALUE;
    }

    /// A power of two that the addresses of data must be multiples of; 1 for any.
    public int dataAlignment() {
        return 1;
    }

    /// Whether the device is gone for good: not to be connected again. The reason in words.
    public Optional<String> gone() {
        return Optional.empty();
    }

    /// Frees all it has; all queue pairs are closed.
    public abstract void close();
}
