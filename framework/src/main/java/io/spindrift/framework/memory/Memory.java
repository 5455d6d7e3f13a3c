package io.spindrift.framework.memory;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.spi.MemoryConsumer;
import io.spindrift.framework.thread.Reactors;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// An application's native memory: what it allocates, what others own and it may use, and who maps it for devices.
///
/// Control path, any thread but a reactor's, except [#regionOf], which any thread may call. Registering, adding a
/// consumer and their opposites happen one at a time, so that each consumer sees each region exactly once.
public final class Memory implements AutoCloseable {
    /// How many consumers there can be at a time.
    public static final int MAX_CONSUMERS = 32;

    /// Beyond the user half of a 57-bit address space: such a segment stands for all memory, which is forbidden.
    private static final long ADDRESS_LIMIT = 1L << 56;

    private static final long LONGEST_DRAIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final MemoryOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final RegionTable regions = new RegionTable();
    private final ConsumerTable consumers = new ConsumerTable();
    private final AtomicLong allocatedBytes = new AtomicLong();
    private final Runnable visitThreads;

    /// Memory of an application whose threads are those of `reactors`.
    public Memory(MemoryOptions options, Reactors reactors) {
        this(options, () -> reactors.threads().forEach(thread -> thread.callIfAlive(() -> {})));
    }

    /// Memory of a program without reactors: threads hold by [MemoryRegion#NO_SLOT] only.
    public Memory(MemoryOptions options) {
        this(options, () -> {});
    }

    /// `visitThreads` returns once every thread with a slot has run something that was sent after the call.
    Memory(MemoryOptions options, Runnable visitThreads) {
        this.options = options;
        this.visitThreads = visitThreads;
    }

    // ---- the application's own memory -------------------------------------------------------------------------

    /// Allocates memory of at least `byteLength` bytes, all zero, aligned to 4096 (to 2 MiB from that size on).
    /// It takes physical memory only where it is touched. The caller frees it.
    ///
    /// @param owner whose it is, in statistics
    /// @throws ErrnoException if there is no address space left, or less than that of [MemoryOptions#limitBytes]
    /// @throws MemoryMapException if a consumer cannot map it
    public MemoryRegion allocate(String owner, long byteLength) {
        Check.range("byteLength", byteLength, 1, ADDRESS_LIMIT);
        long bytes = NativePages.roundUp(byteLength, NativePages.PAGE_BYTES);
        takeFromLimit(owner, bytes);
        boolean complete = false;
        try {
            MemoryRegion region = map(owner, byteLength);
            complete = true;
            return region;
        } finally {
            if (!complete) {
                allocatedBytes.addAndGet(-bytes);
            }
        }
    }

    private MemoryRegion map(String owner, long byteLength) {
        NativePages pages = NativePages.map(byteLength, options.hugePages());
        MemoryRegion region = new MemoryRegion(pages.segment(), MemoryDomain.HOST, owner, pages.kind(), pages, 0);
        try {
            publish(region);
        } catch (RuntimeException e) {
            pages.unmap();
            throw e;
        }
        return region;
    }

    private void takeFromLimit(String owner, long bytes) {
        long before = allocatedBytes.get();
        while (bytes <= options.limitBytes() - before) {
            long seen = allocatedBytes.compareAndExchange(before, before + bytes);
            if (seen == before) {
                return;
            }
            before = seen;
        }
        throw new ErrnoException(Errno.ENOMEM, bytes + " bytes of memory for " + owner + " are more than is left: "
                + "the limit (-s/--mem-size) is " + options.limitBytes() + " bytes, of which " + before
                + " are in use");
    }

    /// Gives memory back. The caller has seen to it that no I/O uses it; its segments are dead from here on.
    ///
    /// @throws IllegalArgumentException if the region is not (or no longer) one that [#allocate] gave
    public void free(MemoryRegion region) {
        locked();
        try {
            if (region.pages() == null || !regions.contains(region)) {
                throw new IllegalArgumentException("region=" + region + " was not allocated here, or is freed");
            }
            regions.remove(region);
            consumers.unmap(region);
        } finally {
            lock.unlock();
        }
        region.pages().unmap();
        allocatedBytes.addAndGet(-region.byteLength());
    }

    // ---- foreign memory ---------------------------------------------------------------------------------------

    /// Registers host memory of no particular owner; see [#register(String, MemorySegment, MemoryDomain)].
    public MemoryRegion register(MemorySegment segment) {
        return register("foreign", segment, MemoryDomain.HOST);
    }

    /// Makes memory that the caller owns usable for I/O: every consumer maps it. The caller keeps it mapped until
    /// [#unregister] returns.
    ///
    /// @param owner whose it is, in statistics
    /// @param segment native, writable, usable by every thread, whole pages of 4096 bytes
    /// @throws IllegalArgumentException if the segment is not that, or shares a byte with another region, even with
    ///         one that is being unregistered
    /// @throws MemoryMapException if a consumer cannot map it; then nobody does
    public MemoryRegion register(String owner, MemorySegment segment, MemoryDomain domain) {
        checkForeign(segment);
        MemoryRegion region = new MemoryRegion(segment, domain, owner, PageKind.FOREIGN, null, options.holdSlots());
        publish(region);
        return region;
    }

    private static void checkForeign(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("segment=" + segment + " is not native memory");
        }
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException("segment=" + segment + " is read-only; devices write to it");
        }
        Thread another = Thread.ofPlatform().unstarted(() -> {});
        if (!segment.scope().isAlive() || !segment.isAccessibleBy(another)) {
            throw new IllegalArgumentException("segment=" + segment + " is closed or confined to one thread");
        }
        Check.range("byteLength", segment.byteSize(), 1, ADDRESS_LIMIT);
        Check.range("address", segment.address(), 1, ADDRESS_LIMIT - segment.byteSize());
        if (((segment.address() | segment.byteSize()) & (NativePages.PAGE_BYTES - 1)) != 0) {
            throw new IllegalArgumentException("address=0x" + Long.toHexString(segment.address()) + " byteLength="
                    + segment.byteSize() + " must be multiples of " + NativePages.PAGE_BYTES);
        }
    }

    /// Ends the use of foreign memory: new I/O on it fails from now on, those in flight are waited for, then the
    /// consumers unmap it. On return its owner may unmap it too. A second call while one waits, waits as well.
    ///
    /// @throws InterruptedException if interrupted while I/O was in flight: the region takes no new I/O and is still
    ///         mapped; call again to go on waiting
    /// @throws IllegalArgumentException if the region is not (or no longer) one that [#register] gave
    public void unregister(MemoryRegion region) throws InterruptedException {
        locked();
        try {
            if (region.pages() != null || !regions.contains(region)) {
                throw new IllegalArgumentException("region=" + region + " was not registered here, or is unregistered");
            }
            region.beginClosing();
        } finally {
            lock.unlock();
        }
        // From here the argument of MemoryRegion's class comment holds.
        visitThreads.run();
        awaitNoHolders(region);
        locked();
        try {
            if (regions.contains(region)) {
                regions.remove(region);
                consumers.unmap(region);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Looks now and then: a release on the data path does not pay for telling.
    private static void awaitNoHolders(MemoryRegion region) throws InterruptedException {
        long pauseNanos = 20_000;
        while (region.holders() != 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while " + region.holders() + " I/Os hold " + region);
            }
            LockSupport.parkNanos(pauseNanos);
            pauseNanos = Math.min(pauseNanos * 2, LONGEST_DRAIN_PAUSE_NANOS);
        }
    }

    private void publish(MemoryRegion region) {
        locked();
        try {
            MemoryRegion other = regions.overlapping(region.address(), region.byteLength());
            if (other != null) {
                throw new IllegalArgumentException("region=" + region + " overlaps " + other);
            }
            consumers.map(region);
            regions.add(region);
        } finally {
            lock.unlock();
        }
    }

    /// The region that contains all of `[address, address + length)`, or null. Any thread; allocates nothing. For slow
    /// paths: an I/O's vector carries its regions. A region being unregistered is found, and refuses to be held.
    public MemoryRegion regionOf(long address, long length) {
        return regions.containing(address, length);
    }

    // ---- consumers --------------------------------------------------------------------------------------------

    /// Has `consumer` map every region from now on, those that exist first.
    ///
    /// @return its index for [MemoryRegion#value], free again after [#removeConsumer]
    /// @throws MemoryMapException if it cannot map one; then it maps none and is not added
    /// @throws IllegalStateException if there are already [#MAX_CONSUMERS]
    public int addConsumer(MemoryConsumer consumer) {
        locked();
        try {
            return consumers.add(consumer, regions.all().stream().filter(r -> !r.isClosing()).toList());
        } finally {
            lock.unlock();
        }
    }

    /// Has the consumer unmap every region and calls it no more. The caller has stopped the I/O of its device.
    public void removeConsumer(int consumerIndex) {
        locked();
        try {
            consumers.remove(consumerIndex, regions.all());
        } finally {
            lock.unlock();
        }
    }

    public MemoryStats stats() {
        locked();
        try {
            return MemoryStats.of(regions.all().stream()
                    .map(r -> new MemoryStats.Region(r.address(), r.byteLength(), r.owner(), r.pageKind(),
                            r.domain().name(), r.holders(), consumers.namesOf(r)))
                    .toList());
        } finally {
            lock.unlock();
        }
    }

    /// Ends all use of memory: consumers unmap every region, the application's own is freed. All reactors have stopped.
    @Override
    public void close() {
        locked();
        try {
            for (MemoryRegion region : regions.all()) {
                regions.remove(region);
                consumers.unmap(region);
                if (region.pages() != null) {
                    region.pages().unmap();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void locked() {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("a MemoryConsumer must not call the Memory that calls it");
        }
        lock.lock();
    }
}
