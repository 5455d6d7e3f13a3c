package io.spindrift.framework.memory;

import io.spindrift.framework.memory.spi.MemoryConsumer;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// A page-aligned range of native memory that devices may reach: allocated by [Memory], or registered there.
///
/// The data path reads from it what a device needs ([#value]) and, for foreign memory, holds it while an I/O is in
/// flight ([#hold], [#release]), so that [Memory#unregister] can wait. The application's own memory is never counted:
/// who allocates it frees it after its last I/O.
///
/// ## Why holding needs no fence
/// Each IoThread counts in its own slot with plain increments. `Memory.unregister` sets `closing` and then makes every
/// thread run something (a message). A `hold` before that message has its increment before it in program order, and
/// the message's completion happens-before the sum. A `hold` after it sees `closing`, because sending the message
/// happens-before running it; one on a thread too young to get the message sees it too, because `closing` is volatile
/// and set before the threads are listed. So once all have answered no count grows any more. From there the counts
/// only fall: a sum read slot by slot is never less than the true one, and 0 is final. Each `release` is a release
/// store that pairs with the reads of [#holders], so that what the I/O did to the memory happens-before its
/// end. Threads without a slot of their own share a count and need no message: an atomic add comes before their look
/// at `closing`, and the set before the sum (both fences are full: one of the two sees the other).
public final class MemoryRegion {
    /// Longs from one slot's count to the next: two cache lines, because the prefetcher loads lines in pairs.
    private static final int SLOT_STRIDE = 16;

    /// The slot of a thread that is no IoThread; holding by it costs an atomic add.
    public static final int NO_SLOT = -1;

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class)
            .withInvokeExactBehavior();

    private final MemorySegment segment;
    private final long address;
    private final long byteLength;
    private final MemoryDomain domain;
    private final String owner;
    private final PageKind pageKind;
    /// Null for foreign memory.
    private final NativePages pages;
    private final long[] values = new long[Memory.MAX_CONSUMERS];
    /// Null for the application's own memory, which is not counted. The first count is the shared one.
    private final long[] counts;
    /// Set before the messages of `Memory.unregister` are sent, read by those who hold: see the class comment.
    private volatile boolean closing;

    MemoryRegion(MemorySegment segment, MemoryDomain domain, String owner, PageKind pageKind, NativePages pages,
            int holdSlots) {
        this.segment = segment;
        this.address = segment.address();
        this.byteLength = segment.byteSize();
        this.domain = domain;
        this.owner = owner;
        this.pageKind = pageKind;
        this.pages = pages;
        this.counts = pages == null ? new long[(holdSlots + 1) * SLOT_STRIDE] : null;
        Arrays.fill(values, MemoryConsumer.NOT_MAPPED);
    }

    /// All of the region's memory.
    public MemorySegment segment() {
        return segment;
    }

    public long address() {
        return address;
    }

    public long byteLength() {
        return byteLength;
    }

    /// The address after the last byte.
    public long end() {
        return address + byteLength;
    }

    public MemoryDomain domain() {
        return domain;
    }

    /// Who allocated or registered it, for statistics.
    public String owner() {
        return owner;
    }

    public PageKind pageKind() {
        return pageKind;
    }

    /// What the consumer with this index (see [Memory#addConsumer]) keeps for the region: an IOVA of its first byte,
    /// an lkey; [MemoryConsumer#NOT_MAPPED] if it does not map it. Any thread that got the index by a message.
    public long value(int consumerIndex) {
        return values[consumerIndex];
    }

    void setValue(int consumerIndex, long value) {
        values[consumerIndex] = value;
    }

    NativePages pages() {
        return pages;
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    /// Whether `hold` counts: true for foreign memory only.
    public boolean counted() {
        return counts != null;
    }

    /// Keeps the region registered until [#release]. One call for each range of an I/O.
    ///
    /// @param slot the current [io.spindrift.framework.thread.IoThread#slot], or [#NO_SLOT] on another thread
    /// @return false, and nothing is held, if the region is being unregistered: the I/O fails
    public boolean hold(int slot) {
        if (counts == null) {
            return true;
        }
        if (closing) {
            return false;
        }
        int at = (slot + 1) * SLOT_STRIDE;
        if (at <= 0 || at >= counts.length) {
            return holdShared();
        }
        counts[at]++;
        return true;
    }

    private boolean holdShared() {
        long unused = (long) COUNT.getAndAdd(counts, 0, 1L);
        if (closing) { // pairs with the write in beginClosing() and the sum after it
            unused = (long) COUNT.getAndAdd(counts, 0, -1L);
            return false;
        }
        return true;
    }

    /// Undoes one [#hold]; the I/O no longer touches the memory.
    ///
    /// @param slot the calling thread's; it need not be the one that held
    public void release(int slot) {
        if (counts == null) {
            return;
        }
        int at = (slot + 1) * SLOT_STRIDE;
        if (at <= 0 || at >= counts.length) {
            long unused = (long) COUNT.getAndAdd(counts, 0, -1L);
        } else {
            COUNT.setRelease(counts, at, counts[at] - 1); // pairs with the read in holders()
        }
    }

    /// How many holds are not yet released; exact only when nobody holds any more. Any thread.
    public long holders() {
        if (counts == null) {
            return 0;
        }
        long sum = 0;
        for (int at = 0; at < counts.length; at += SLOT_STRIDE) {
            // Volatile for the shared count, see holdShared(); pairs with the release in release().
            sum += (long) COUNT.getVolatile(counts, at);
        }
        return sum;
    }

    void beginClosing() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }

    /// `0x7f0000000000+2097152 (vhost VM1, FOREIGN, host)`, for messages.
    @Override
    public String toString() {
        return "0x" + Long.toHexString(address) + "+" + byteLength + " (" + owner + ", " + pageKind + ", "
                + domain.name() + ")";
    }
}
