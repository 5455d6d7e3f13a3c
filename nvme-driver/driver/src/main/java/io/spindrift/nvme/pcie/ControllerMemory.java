package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.ControllerProperty;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A Controller Memory Buffer (base specification 2.0, 8.5), in which submission queues save the controller the way to the
/// host's memory.
///
/// Only as from NVMe 1.4 on, where the host says at which address the controller knows its buffer: a range of IOVAs that no
/// memory is mapped at. Before, it was where the bus had put it, and collided with whatever was mapped there. On the control
/// path, one thread at a time.
final class ControllerMemory {
    /// CMBMSC: Capabilities Registers Enabled, Controller Memory Space Enable.
    private static final long CRE = 1;
    private static final long CMSE = 1 << 1;
    /// CMBSZ: Submission Queue Support.
    private static final int SQS = 1;
    /// CMBSTS: Controller Base Address Invalid.
    private static final int CBAI = 1;
    private static final int UNIT_SHIFT = 12;
    private static final int PAGE = DataPointer.PAGE_BYTES;

    private final VfioContainer container;
    /// Null while there is none.
    private PageRows pages;
    private long base = -1;

    ControllerMemory(VfioContainer container) {
        this.container = container;
    }

    /// Some of it, and where the device finds that.
    record Part(MemorySegment memory, long iova, int page, int pages) {}

    /// Has an enabled controller recognise its buffer, if it has one for submission queues. Not once parts are taken.
    void enable(VfioDevice device, Registers registers, long cap) throws Exception {
        if ((cap & Cap.CMBS) == 0) {
            return;
        }
        if (pages == null) {
            registers.write64(ControllerProperty.CMBMSC, CRE);
            int size = registers.read32(ControllerProperty.CMBSZ);
            int location = registers.read32(ControllerProperty.CMBLOC);
            if ((size & SQS) == 0) {
                return;
            }
            find(device, size, location);
        }
        registers.write64HighFirst(ControllerProperty.CMBMSC, base | CMSE | CRE);
        if ((registers.read32(ControllerProperty.CMBSTS) & CBAI) != 0) {
            registers.write64(ControllerProperty.CMBMSC, 0);
            close();
        }
    }

    /// BIR in bits 2:0 and OFST in bits 31:12 of CMBLOC; SZU, 4 KiB times 16 to that power, in bits 11:8 and SZ in bits 31:12
    /// of CMBSZ. What does not lie in the BAR is not used.
    private void find(VfioDevice device, int size, int location) throws Exception {
        long unit = (long) PAGE << 4 * (size >>> 8 & 0xf);
        MemorySegment bar = device.map(location & 7);
        long offset = (location >>> UNIT_SHIFT) * unit;
        long bytes = Math.min((size >>> UNIT_SHIFT) * unit, bar.byteSize() - offset) / PAGE * PAGE;
        if (offset < 0 || bytes <= 0) {
            throw new IllegalStateException(
                    String.format("CMBLOC %08xh and CMBSZ %08xh are outside of BAR%d, which has %d "
                            + "bytes", location, size, location & 7, bar.byteSize()));
        }
        base = container.reserve(bytes);
        pages = new PageRows(bar.asSlice(offset, bytes));
    }

    /// So many bytes of it, if there are any left.
    Optional<Part> take(long bytes) {
        int count = PageRows.pagesOf(bytes);
        int first = pages == null ? -1 : pages.take(count);
        return first < 0
                ? Optional.empty()
                : Optional.of(new Part(pages.memory().asSlice(PageRows.at(first), bytes),
                        base + PageRows.at(first), first, count));
    }

    /// The controller uses that part no more.
    void free(Part part) {
        if (pages != null) {
            pages.free(part.page(), part.pages());
        }
    }

    /// Forgets the buffer.
    void close() {
        if (base >= 0) {
            container.unreserve(base);
        }
        base = -1;
        pages = null;
    }
}
