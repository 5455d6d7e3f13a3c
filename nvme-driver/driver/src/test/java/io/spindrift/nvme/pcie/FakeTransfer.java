package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Follows a command's data pointer as the specification has it (base specification 2.0, 4.1), through the IOMMU.
final class FakeTransfer {
    private static final int PAGE = 4096;

    private final FakeVfio vfio;
    private final MemorySegment sqe;

    FakeTransfer(FakeVfio vfio, MemorySegment sqe) {
        this.vfio = vfio;
        this.sqe = sqe;
    }

    void toHost(byte[] from, int at, int length) {
        int done = 0;
        for (MemorySegment part : parts(length)) {
            MemorySegment.copy(from, at + done, part, ValueLayout.JAVA_BYTE, 0, (int) part.byteSize());
            done += (int) part.byteSize();
        }
    }

    void toDevice(byte[] to, int at, int length) {
        int done = 0;
        for (MemorySegment part : parts(length)) {
            MemorySegment.copy(part, ValueLayout.JAVA_BYTE, 0, to, at + done, (int) part.byteSize());
            done += (int) part.byteSize();
        }
    }

    List<MemorySegment> parts(int length) {
        return SubmissionQueueEntry.psdt(sqe, 0) == SubmissionQueueEntry.PSDT_PRP ? pages(length) : ranges(length);
    }

    private List<MemorySegment> pages(int length) {
        long prp1 = SubmissionQueueEntry.prp1(sqe, 0);
        long prp2 = SubmissionQueueEntry.prp2(sqe, 0);
        int first = Math.min(length, PAGE - (int) (prp1 % PAGE));
        List<MemorySegment> parts = new ArrayList<>();
        parts.add(vfio.at(prp1, first));
        int left = length - first;
        for (int i = 0; left > 0; i++) {
            long page = length - first <= PAGE ? prp2 : LittleEndian.u64(vfio.at(prp2 + 8L * i, 8), 0);
            if (page % PAGE != 0) {
                throw new AssertionError("PRP entry 0x" + Long.toHexString(page) + " has an offset");
            }
            int part = Math.min(left, PAGE);
            parts.add(vfio.at(page, part));
            left -= part;
        }
        return parts;
    }

    private List<MemorySegment> ranges(int length) {
        MemorySegment list = sqe.asSlice(SubmissionQueueEntry.DPTR, SglDescriptor.SIZE);
        if (SglDescriptor.type(list, 0) == SglDescriptor.TYPE_LAST_SEGMENT) {
            list = vfio.at(SglDescriptor.address(list, 0), SglDescriptor.length(list, 0));
        }
        List<MemorySegment> parts = new ArrayList<>();
        long total = 0;
        for (long at = 0; at < list.byteSize(); at += SglDescriptor.SIZE) {
            if (SglDescriptor.type(list, at) != SglDescriptor.TYPE_DATA_BLOCK) {
                throw new AssertionError("SGL descriptor of type " + SglDescriptor.type(list, at));
            }
            parts.add(vfio.at(SglDescriptor.address(list, at), SglDescriptor.length(list, at)));
            total += SglDescriptor.length(list, at);
        }
        if (total != length) {
            throw new AssertionError("SGL of " + total + " bytes, data of " + length);
        }
        return parts;
    }
}
