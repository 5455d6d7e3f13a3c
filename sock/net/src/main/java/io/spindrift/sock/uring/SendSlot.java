package io.spindrift.sock.uring;

import io.spindrift.framework.uring.IoVec;
import io.spindrift.sock.internal.ffi.MsgHdr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The description of a send that is under way: not touched until it is done. Pooled by its group.
final class SendSlot {
    static final int RANGES = 256;

    final MemorySegment vector;
    final MemorySegment message;
    SendSlot next;

    SendSlot(Arena arena) {
        vector = arena.allocate((long) RANGES * IoVec.SIZE, 8);
        message = arena.allocate(MsgHdr.SIZE, 8);
    }
}
