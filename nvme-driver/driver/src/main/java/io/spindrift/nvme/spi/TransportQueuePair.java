package io.spindrift.nvme.spi;

import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import java.lang.foreign.MemorySegment;

/// A transport's side of a [QueuePair].
///
/// It tells the queue pair, on its thread: [QueuePair#complete] of each command that it was given, once; [QueuePair#failed]
/// when it is of no more use. What a controller does never throws.
public abstract class TransportQueuePair {
    /// For subclasses, on the control path.
    protected TransportQueuePair() {}

    // ---- on the control path; may wait ------------------------------------------------------------------------

    /// Gets ready to carry commands, for the first time or after [#disconnect]: a connection, rings that the controller
    /// knows.
    ///
    /// @param limitMillis how long it may take
    /// @throws io.spindrift.nvme.NvmeException saying what failed and where
    public abstract void connect(long limitMillis) throws Exception;

    /// Ends what [#connect] began: when this returns every command that was outstanding has been completed by
    /// [QueuePair#abort] and no device or kernel touches its data. The queue pair is down already.
    public abstract void disconnect();

    /// Frees all it has; after [#disconnect].
    public abstract void close();

    // ---- any thread -------------------------------------------------------------------------------------------

    /// The memory that commands are built in: 64 bytes for each request, at [#commandAt]. Constant.
    public abstract MemorySegment commands();

    /// Where the command of request `index` is in [#commands()].
    public abstract long commandAt(int index);

    /// Whether a command may have metadata in a buffer of their own.
    public boolean separateMetadata() {
        return false;
    }

    // ---- on its thread ----------------------------------------------------------------------------------------

    /// Whether it carries commands: from the end of [#connect] on, unless it has failed since.
    public abstract boolean connected();

    /// Carries a command: its identifier is set, the data pointer is the transport's to set. Never blocks, allocates, throws,
    /// or completes it before it returns.
    public abstract void submit(NvmeRequest request);

    /// The controller is too slow, or has been found to lie, for the reason in words: as if the connection had broken. Calls
    /// [QueuePair#failed].
    public abstract void fail(String reason);
}
