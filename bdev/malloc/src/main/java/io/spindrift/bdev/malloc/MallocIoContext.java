package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.framework.memory.IoVector;

/// What this module keeps with each pooled I/O.
final class MallocIoContext {
    /// The memory that a zero-copy I/O lends.
    final IoVector lent = new IoVector(1);
    /// The I/O behind this one in the [PieceQueue].
    BdevIo next;
    /// Which time its blocks are gone through, and how far: what a [PieceWork] counts in.
    int pass;
    long done;
}
