package io.spindrift.nvme.pcie;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.memory.spi.MemoryConsumer;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// Tells a command where its data are (base specification 2.0, 4.1): by pages (PRP) if they can be told so, else by ranges
/// (SGL) if the controller knows those.
///
/// Pages must follow each other without gaps: only the first range may begin, and only the last may end, within a page.
/// What can be told in neither way goes through memory of the transport's own. Data path; allocates nothing.
final class DataPointer {
    /// What a command has for its list: one page.
    static final int LIST_BYTES = 4096;
    /// The only page size: that of the host.
    static final int PAGE_BYTES = 4096;
    /// Pages that any data of so many bytes can be told by, however they begin: one in the command, the others in the list.
    static final int MAX_PAGES = LIST_BYTES / Long.BYTES;
    static final int MAX_DESCRIPTORS = LIST_BYTES / SglDescriptor.SIZE;

    /// Which ranges a controller takes (Identify Controller, SGLS, bits 1:0).
    enum Sgl {
        NONE, ANY, DWORDS
    }

    private static final long PAGE_MASK = PAGE_BYTES - 1;
    private static final long UNKNOWN = -1;

    private final Memory memory;
    private final int consumerIndex;
    private final Sgl sgl;

    /// For devices whose addresses are those of the consumer with that index.
    DataPointer(Memory memory, int consumerIndex, Sgl sgl) {
        this.memory = memory;
        this.consumerIndex = consumerIndex;
        this.sgl = sgl;
    }

    /// Sets the data pointer of the command at `at`, with `list`, [#LIST_BYTES] from `listAt` on, at `listIova` for the
    /// device. False, if it cannot be.
    boolean set(IoVector data, MemorySegment command, long at, MemorySegment list, long listAt, long listIova) {
        return setPages(data, command, at, list, listAt, listIova)
                || sgl != Sgl.NONE && setRanges(data, command, at, list, listAt, listIova);
    }

    private boolean setPages(IoVector data, MemorySegment command, long at, MemorySegment list, long listAt,
            long listIova) {
        int pages = 0;
        long next = 0;
        for (int i = 0; i < data.count(); i++) {
            long iova = iova(data, i);
            if (iova == UNKNOWN || !mayFollow(iova, next, i)) {
                return false;
            }
            long page = i > 0 && iova == next ? iova + PAGE_MASK & ~PAGE_MASK : iova;
            next = iova + data.length(i);
            while (page < next) {
                if (pages == 0) {
                    SubmissionQueueEntry.prp1(command, at, page);
                } else if (pages <= MAX_PAGES) {
                    LittleEndian.u64(list, listAt + (pages - 1L) * Long.BYTES, page);
                } else {
                    return false;
                }
                pages++;
                page = (page | PAGE_MASK) + 1;
            }
        }
        SubmissionQueueEntry.psdt(command, at, SubmissionQueueEntry.PSDT_PRP);
        SubmissionQueueEntry.prp2(command, at,
                pages < 2 ? 0 : pages == 2 ? LittleEndian.u64(list, listAt) : listIova);
        return true;
    }

    private static boolean mayFollow(long iova, long next, int range) {
        return range == 0 ? (iova & 3) == 0 : iova == next || ((iova | next) & PAGE_MASK) == 0;
    }

    private boolean setRanges(IoVector data, MemorySegment command, long at, MemorySegment list, long listAt,
            long listIova) {
        int count = data.count();
        if (count > MAX_DESCRIPTORS || sgl == Sgl.DWORDS && (data.lengthBits() & 3) != 0) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            long iova = iova(data, i);
            if (iova == UNKNOWN || sgl == Sgl.DWORDS && (iova & 3) != 0 || data.length(i) > 0xffff_ffffL) {
                return false;
            }
            if (count == 1) {
                SglDescriptor.dataBlock(command, at + SubmissionQueueEntry.DPTR, iova, data.length(i));
            } else {
                SglDescriptor.dataBlock(list, listAt + (long) i * SglDescriptor.SIZE, iova, data.length(i));
            }
        }
        if (count > 1) {
            SglDescriptor.lastSegment(command, at + SubmissionQueueEntry.DPTR, listIova,
                    (long) count * SglDescriptor.SIZE);
        }
        SubmissionQueueEntry.psdt(command, at, SubmissionQueueEntry.PSDT_SGL);
        return true;
    }

    /// Sets the metadata pointer; metadata are one range that begins at a dword. False, if they are not.
    boolean setMetadata(IoVector metadata, MemorySegment command, long at) {
        long iova = metadata.count() == 1 ? iova(metadata, 0) : UNKNOWN;
        if (iova == UNKNOWN || (iova & 3) != 0) {
            return false;
        }
        SubmissionQueueEntry.mptr(command, at, iova);
        return true;
    }

    /// Where the device finds a range, or -1.
    private long iova(IoVector data, int range) {
        long address = data.address(range);
        MemoryRegion region = data.region(range);
        if (region == null) {
            region = memory.regionOf(address, data.length(range));
            if (region == null || region.counted()) { // nobody holds it for this I/O
                return UNKNOWN;
            }
        }
        long iova = region.value(consumerIndex);
        return iova == MemoryConsumer.NOT_MAPPED ? UNKNOWN : iova + (address - region.address());
    }
}
