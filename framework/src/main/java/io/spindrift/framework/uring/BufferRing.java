package io.spindrift.framework.uring;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Buffers that the kernel takes from when something arrives (Linux 5.19): one piece of memory, cut into equal buffers
/// with numbers from 0.
///
/// All are the kernel's at first. A completion with [Cqe#F_BUFFER] hands the buffer of the number in its flags over,
/// [#give] gives it back, and [#publish] lets the kernel see what was given. The ring's owner thread only. Closed after its
/// ring.
public final class BufferRing implements AutoCloseable {
    /// struct io_uring_buf: addr at 0, len at 8, bid at 12; the tail is where entry 0 has its last field.
    static final int ENTRY_SIZE = 16;
    static final int ENTRY_ADDR = 0;
    static final int ENTRY_LEN = 8;
    static final int ENTRY_BID = 12;
    static final int TAIL = 14;
    /// struct io_uring_buf_reg
    static final int REG_SIZE = 40;
    static final int REG_RING_ADDR = 0;
    static final int REG_RING_ENTRIES = 8;
    static final int REG_BGID = 12;

    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle().withInvokeExactBehavior();
    private static final int PAGE_BYTES = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment entries;
    private final MemorySegment memory;
    private final int group;
    private final int mask;
    private final int bufferBytes;
    private short tail;

    private BufferRing(int group, int count, int bufferBytes) {
        this.group = group;
        this.mask = count - 1;
        this.bufferBytes = bufferBytes;
        entries = arena.allocate((long) count * ENTRY_SIZE, PAGE_BYTES);
        memory = arena.allocate((long) count * bufferBytes, PAGE_BYTES);
    }

    /// Registers `count` buffers (a power of two, at most 32768) of `bufferBytes` bytes with `ring`, as its buffer group
    /// `group`. Throws [IoUringException] if the kernel refuses.
    public static BufferRing register(IoUring ring, int group, int count, int bufferBytes) {
        Check.range("count", count, 1, 32768);
        Check.range("bufferBytes", bufferBytes, 1, 1 << 30);
        if (Integer.bitCount(count) != 1) {
            throw new IllegalArgumentException("count=" + count + " is no power of two");
        }
        BufferRing made = new BufferRing(group, count, bufferBytes);
        int rc = made.registerWith(ring);
        if (rc < 0) {
            made.close();
            throw new IoUringException("io_uring_register of " + count + " provided buffers", -rc,
                    rc == -Errno.EINVAL ? "Linux 5.19 or newer is needed" : "the ring cannot receive");
        }
        for (int i = 0; i < count; i++) {
            made.give(i);
        }
        made.publish();
        return made;
    }

    private int registerWith(IoUring ring) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment reg = call.allocate(REG_SIZE, Long.BYTES);
            reg.set(ValueLayout.JAVA_LONG, REG_RING_ADDR, entries.address());
            reg.set(ValueLayout.JAVA_INT, REG_RING_ENTRIES, mask + 1);
            reg.set(ValueLayout.JAVA_SHORT, REG_BGID, (short) group);
            return ring.register(RingParams.REGISTER_PBUF_RING, reg, 1);
        }
    }

    /// Its number, for [Sqe#recvMultishot].
    public int group() {
        return group;
    }

    /// The memory of all buffers.
    public MemorySegment memory() {
        return memory;
    }

    /// Where buffer `number` begins in [#memory()].
    public long offset(int number) {
        return (long) number * bufferBytes;
    }

    /// Gives buffer `number` back; the kernel sees it after [#publish].
    public void give(int number) {
        long at = (long) (tail & mask) * ENTRY_SIZE;
        entries.set(ValueLayout.JAVA_LONG, at + ENTRY_ADDR, memory.address() + offset(number));
        entries.set(ValueLayout.JAVA_INT, at + ENTRY_LEN, bufferBytes);
        entries.set(ValueLayout.JAVA_SHORT, at + ENTRY_BID, (short) number);
        tail++;
    }

    /// Lets the kernel see what was given.
    public void publish() {
        // Release pairs with the kernel's acquire of the tail: the entries before it are whole.
        SHORT.setRelease(entries, (long) TAIL, tail);
    }

    /// Frees the memory; the ring has been closed before.
    @Override
    public void close() {
        arena.close();
    }
}
