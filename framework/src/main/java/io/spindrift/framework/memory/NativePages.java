package io.spindrift.framework.memory;

import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.internal.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/// A mapping of anonymous memory, not yet touched: the kernel gives pages, all zero, as they are used.
///
/// @param segment the bytes asked for, rounded up to whole pages; its arena unmaps them
/// @param arena closed by the owner, on no reactor
/// @param kind what backs it
record NativePages(MemorySegment segment, Arena arena, PageKind kind) {
    static final long PAGE_BYTES = 4096;
    static final long HUGE_PAGE_BYTES = 2L << 20;

    /// asm-generic/hugetlb_encode.h: log2 of the page size from bit 26.
    private static final int MAP_HUGE_2MB = 21 << 26;

    private static final int READ_WRITE = Libc.PROT_READ | Libc.PROT_WRITE;
    private static final int ANONYMOUS = Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS;

    /// Maps at least `byteLength` bytes: reserved hugepages if `hugePages` and enough are free, else memory that the
    /// kernel may back by hugepages, else plain pages. What is smaller than a hugepage always has plain pages.
    ///
    /// @throws ErrnoException if the kernel refuses
    static NativePages map(long byteLength, boolean hugePages) {
        return offCarrier(() -> mapHere(roundUp(byteLength, PAGE_BYTES), hugePages));
    }

    /// Unmaps it; nobody may touch it any more.
    void unmap() {
        offCarrier(() -> {
            arena.close();
            return null;
        });
    }

    private static NativePages mapHere(long bytes, boolean hugePages) {
        if (!hugePages || bytes < HUGE_PAGE_BYTES) {
            return of(mapAnonymous(bytes), bytes, 0, bytes, PageKind.PLAIN);
        }
        long hugeBytes = roundUp(bytes, HUGE_PAGE_BYTES);
        // Not MAP_NORESERVE: a reservation refused here is an answer, one missed later is a SIGBUS.
        long huge = Libc.mmap(0, hugeBytes, READ_WRITE, ANONYMOUS | Libc.MAP_HUGETLB | MAP_HUGE_2MB, -1, 0);
        if (huge > 0) {
            return of(huge, hugeBytes, 0, bytes, PageKind.HUGE);
        }
        // One hugepage more, so that the memory can start at a hugepage's address.
        long mappedBytes = hugeBytes + HUGE_PAGE_BYTES;
        long mapped = mapAnonymous(mappedBytes);
        long skip = roundUp(mapped, HUGE_PAGE_BYTES) - mapped;
        boolean advised = Libc.madvise(mapped + skip, hugeBytes, Libc.MADV_HUGEPAGE) == 0;
        return of(mapped, mappedBytes, skip, bytes, advised ? PageKind.TRANSPARENT_HUGE : PageKind.PLAIN);
    }

    private static long mapAnonymous(long bytes) {
        long address = Libc.mmap(0, bytes, READ_WRITE, ANONYMOUS | Libc.MAP_NORESERVE, -1, 0);
        if (address < 0) {
            throw new ErrnoException("mmap of " + bytes + " bytes", (int) -address);
        }
        return address;
    }

    @SuppressWarnings("restricted")
    private static NativePages of(long mapped, long mappedBytes, long skip, long bytes, PageKind kind) {
        Arena arena = Arena.ofShared();
        MemorySegment segment = MemorySegment.ofAddress(mapped + skip)
                .reinterpret(bytes, arena, unused -> Libc.munmap(mapped, mappedBytes));
        return new NativePages(segment, arena, kind);
    }

    static long roundUp(long value, long multiple) {
        return Math.ceilDiv(value, multiple) * multiple;
    }

    /// Runs `call` on a platform thread: mapping and unmapping gigabytes takes long enough to pin a carrier.
    private static <T> T offCarrier(Supplier<T> call) {
        if (!Thread.currentThread().isVirtual()) {
            return call.get();
        }
        try {
            return CompletableFuture.supplyAsync(call, Thread.ofPlatform().name("memory-map")::start).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
