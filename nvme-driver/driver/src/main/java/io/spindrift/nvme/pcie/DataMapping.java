package io.spindrift.nvme.pcie;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.spec.Opcode;
import java.lang.foreign.MemorySegment;

/// Makes the data of a queue pair's requests known to the device: where they are, or by a copy where the device cannot reach
/// them or be told of them.
///
/// On the queue pair's thread; allocates nothing.
final class DataMapping {
    /// The command tells the device where its data are.
    static final int MAPPED = 0;
    /// A copy is needed, and there is no memory for it until another command has ended.
    static final int LATER = 1;
    /// A copy is needed, and it is longer than there is memory, or cannot be told either.
    static final int NEVER = 2;

    private final Memory memory;
    private final QueueMemory queue;
    private final PcieSlot[] slots;
    private final MemoryRegion bounceRegion;
    private final PageRows bounce;
    private final IoVector copy = new IoVector(1);
    /// Set by each [#reach].
    private DataPointer pointer;
    private long listsIova;

    /// On the control path.
    DataMapping(Memory memory, QueueMemory queue, PcieSlot[] slots, long bounceBytes) {
        this.memory = memory;
        this.queue = queue;
        this.slots = slots;
        this.bounceRegion = memory.allocate("nvme pcie bounce pages", bounceBytes);
        this.bounce = new PageRows(bounceRegion.segment());
    }

    /// The device sees memory as the consumer with that index. On the control path, while no command is outstanding.
    void reach(DataPointer dataPointer, int consumerIndex) {
        pointer = dataPointer;
        listsIova = queue.iova(queue.lists(), consumerIndex);
    }

    /// Sets the pointers of a request's command; [#MAPPED], [#LATER] or [#NEVER].
    int map(NvmeRequest request) {
        int data = request.data() == null ? MAPPED : mapData(request);
        if (data == MAPPED && request.metadata() != null) {
            int metadata = mapMetadata(request);
            if (metadata != MAPPED) {
                free(slots[request.index()]);
            }
            return metadata;
        }
        return data;
    }

    private int mapData(NvmeRequest request) {
        if (setPointer(request, request.data())) {
            return MAPPED;
        }
        PcieSlot slot = slots[request.index()];
        int pages = PageRows.pagesOf(request.data().byteLength());
        if (!bounce.canHave(pages)) {
            return NEVER;
        }
        int first = bounce.take(pages);
        if (first < 0) {
            return LATER;
        }
        slot.dataPage = first;
        slot.dataPages = pages;
        copyIn(request, request.data(), first);
        return setPointer(request, copy) ? MAPPED : never(slot);
    }

    private boolean setPointer(NvmeRequest request, IoVector data) {
        long list = (long) request.index() * DataPointer.LIST_BYTES;
        return pointer.set(data, request.command(), request.commandAt(), queue.lists(), list, listsIova + list);
    }

    private int mapMetadata(NvmeRequest request) {
        if (pointer.setMetadata(request.metadata(), request.command(), request.commandAt())) {
            return MAPPED;
        }
        PcieSlot slot = slots[request.index()];
        int pages = PageRows.pagesOf(request.metadata().byteLength());
        if (!bounce.canHave(pages + slot.dataPages)) {
            return NEVER;
        }
        int first = bounce.take(pages);
        if (first < 0) {
            return LATER;
        }
        slot.metadataPage = first;
        slot.metadataPages = pages;
        copyIn(request, request.metadata(), first);
        return pointer.setMetadata(copy, request.command(), request.commandAt()) ? MAPPED : never(slot);
    }

    private int never(PcieSlot slot) {
        free(slot);
        return NEVER;
    }

    private void copyIn(NvmeRequest request, IoVector data, int first) {
        long bytes = data.byteLength();
        copy.set(bounceRegion, PageRows.at(first), bytes);
        if (request.transfer() == Opcode.HOST_TO_CONTROLLER) {
            data.copyTo(bounce.memory(), PageRows.at(first), 0, bytes);
        }
    }

    /// The command has ended: brings what the device has written into a copy to where it belongs, if `succeeded`, and frees
    /// the copies.
    void unmap(NvmeRequest request, boolean succeeded) {
        PcieSlot slot = slots[request.index()];
        if ((slot.dataPages | slot.metadataPages) != 0) {
            if (succeeded && request.transfer() == Opcode.CONTROLLER_TO_HOST) {
                copyOut(request, slot);
            }
            free(slot);
        }
    }

    private void copyOut(NvmeRequest request, PcieSlot slot) {
        MemorySegment pages = bounce.memory();
        if (slot.dataPages != 0) {
            IoVector data = request.data();
            data.copyFrom(pages, PageRows.at(slot.dataPage), 0, data.byteLength());
        }
        if (slot.metadataPages != 0) {
            IoVector metadata = request.metadata();
            metadata.copyFrom(pages, PageRows.at(slot.metadataPage), 0, metadata.byteLength());
        }
    }

    private void free(PcieSlot slot) {
        bounce.free(slot.dataPage, slot.dataPages);
        bounce.free(slot.metadataPage, slot.metadataPages);
        slot.dataPages = 0;
        slot.metadataPages = 0;
    }

    /// The device does not use it any more. On the control path.
    void close() {
        memory.free(bounceRegion);
    }
}
