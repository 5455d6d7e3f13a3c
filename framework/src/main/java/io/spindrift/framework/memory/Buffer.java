package io.spindrift.framework.memory;

import io.spindrift.framework.thread.Message;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A buffer of one of the two pools: owned by who got it, until released.
///
/// Its contents are whatever its last user left.
public final class Buffer {
    private final BufferPool pool;
    private final int index;
    private final MemoryRegion region;
    private final MemorySegment segment;
    private ByteBuffer view;
    private final long regionOffset;
    private final Handover handover = new Handover(this);
    /// In [BufferCache]'s list of buffers to hand out.
    Buffer next;
    private boolean lent;

    /// The buffer's way to a waiter on another thread.
    private static final class Handover extends Message {
        private final Buffer buffer;
        private BufferCache receiver;

        Handover(Buffer buffer) {
            this.buffer = buffer;
        }

        @Override
        protected void run() {
            receiver.onArrival(buffer);
        }

        @Override
        protected void rejected() {
            receiver.pool().onReceiverExited(receiver, buffer);
        }
    }

    Buffer(BufferPool pool, int index, MemoryRegion region, long regionOffset, long capacity) {
        this.pool = pool;
        this.index = index;
        this.region = region;
        this.regionOffset = regionOffset;
        this.segment = region.segment().asSlice(regionOffset, capacity);
    }

    public MemoryRegion region() {
        return region;
    }

    /// The buffer's own bytes and no others; offset 0 is its first.
    public MemorySegment segment() {
        return segment;
    }

    /// The same memory for calls that take a ByteBuffer; made at the first call. Position and limit are its user's to set.
    public ByteBuffer view() {
        if (view == null) {
            view = segment.asByteBuffer();
        }
        return view;
    }

    /// Where the buffer starts in its region, for what a consumer keeps by region (an IOVA).
    public long regionOffset() {
        return regionOffset;
    }

    /// How many bytes fit.
    public long capacity() {
        return segment.byteSize();
    }

    /// The address of the first byte, a multiple of 4096.
    public long address() {
        return segment.address();
    }

    BufferPool pool() {
        return pool;
    }

    /// Its place in its pool.
    int index() {
        return index;
    }

    Buffer lend() {
        lent = true;
        return this;
    }

    /// Ends the loan; a second release is a bug that would give one buffer to two I/Os.
    void takeBack() {
        if (!lent) {
            throw new IllegalStateException("buffer=0x" + Long.toHexString(address()) + " is released twice");
        }
        lent = false;
    }

    /// Sends the buffer to the thread of `receiver`; false if that has exited.
    boolean sendTo(BufferCache receiver) {
        handover.receiver = receiver;
        return receiver.thread().send(handover);
    }
}
