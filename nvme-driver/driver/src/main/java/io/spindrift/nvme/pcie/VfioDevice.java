package io.spindrift.nvme.pcie;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.nvme.internal.ffi.VfioCalls;
import io.spindrift.nvme.internal.ffi.VfioIrqInfo;
import io.spindrift.nvme.internal.ffi.VfioIrqSet;
import io.spindrift.nvme.internal.ffi.VfioRegionInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// One device that is open: its BAR0 in memory, its configuration space, its interrupts.
///
/// Control path; one thread at a time. Whoever reads or writes [#bar] must have stopped before [#free], which unmaps it:
/// the kernel waits for that before it lets the device be removed.
final class VfioDevice {
    /// PCI command register (PCI Express base specification, 7.5.1.1.3).
    private static final long COMMAND = 4;
    private static final int COMMAND_MEMORY = 1 << 1;
    private static final int COMMAND_BUS_MASTER = 1 << 2;
    private static final int COMMAND_INTX_DISABLE = 1 << 10;
    private static final int REACH_MEMORY = COMMAND_MEMORY | COMMAND_BUS_MASTER | COMMAND_INTX_DISABLE;
    /// Where the chain of capabilities begins, and how long one can be at most.
    private static final long CAPABILITIES = 0x34;
    private static final int MOST_CAPABILITIES = 48;
    private static final int CAPABILITY_MSIX = 0x11;
    /// In that capability: which BAR has the table (bits 2:0), and where (the others).
    private static final long MSIX_TABLE = 4;
    private static final int MSIX_ENTRY_BYTES = 16;

    private final VfioCalls calls;
    private final int fd;
    private final PciAddress address;
    private final int group;
    private final Blocking blocking;
    private final long configOffset;
    private final int msixVectors;
    private final Bar bar;
    private int[] msixEvents = new int[0];
    private int requestEvent = -1;
    /// Beside [#bar], by the index of their BAR.
    private final Map<Integer, MemorySegment> moreMappings = new HashMap<>();

    /// BAR0 as far as it is mapped, from its beginning.
    ///
    /// @param msixTableAt where in it the MSI-X table is, or -1 if it is elsewhere or cannot be reached
    record Bar(MemorySegment mapped, long msixTableAt) {}

    private VfioDevice(VfioCalls calls, int fd, PciAddress address, int group, Blocking blocking) {
        this.calls = calls;
        this.fd = fd;
        this.address = address;
        this.group = group;
        this.blocking = blocking;
        try (Arena arena = Arena.ofConfined()) {
            configOffset = VfioRegionInfo.offset(region(arena, VfioCalls.CONFIG_REGION));
            msixVectors = interrupts(arena, VfioCalls.MSIX_IRQ);
            bar = mapBar(region(arena, VfioCalls.BAR0_REGION));
        }
    }

    /// Takes over `fd`, maps BAR0, lets the device reach memory, and listens for the kernel's requests to let it go. On a
    /// thread that may block.
    static VfioDevice open(VfioCalls calls, int fd, PciAddress address, int group, Blocking blocking) {
        VfioDevice device = null;
        boolean complete = false;
        try {
            device = new VfioDevice(calls, fd, address, group, blocking);
            device.watchRequests();
            device.command(REACH_MEMORY, 0);
            complete = true;
            return device;
        } finally {
            if (!complete) {
                if (device != null) {
                    device.free();
                } else {
                    calls.close(fd);
                }
            }
        }
    }

    private MemorySegment region(Arena arena, int index) {
        MemorySegment info = VfioRegionInfo.allocate(arena, index);
        Errno.check("VFIO_DEVICE_GET_REGION_INFO " + index + " of " + address,
                calls.ioctl(fd, VfioCalls.DEVICE_GET_REGION_INFO, info));
        return info;
    }

    private int interrupts(Arena arena, int index) {
        MemorySegment info = VfioIrqInfo.allocate(arena, index);
        return calls.ioctl(fd, VfioCalls.DEVICE_GET_IRQ_INFO, info) < 0 ? 0 : VfioIrqInfo.count(info);
    }

    private Bar mapBar(MemorySegment info) {
        long length = VfioRegionInfo.mappableBytes(info);
        if (length < Registers.MIN_BYTES) {
            throw new ErrnoException(Errno.ENODEV, "BAR0 of " + address + " has " + length + " bytes that can be "
                    + "mapped, the registers of NVMe take " + Registers.MIN_BYTES);
        }
        long start = Errno.check("mmap BAR0 of " + address, calls.mmap(length, fd, VfioRegionInfo.offset(info)));
        boolean complete = false;
        try {
            Bar mapped = new Bar(calls.view(start, length), msixTable(info, length));
            complete = true;
            return mapped;
        } finally {
            if (!complete) {
                calls.munmap(start, length);
            }
        }
    }

    private long msixTable(MemorySegment info, long mapped) {
        long capability = readConfig(CAPABILITIES, 1) & ~3;
        for (int i = 0; i < MOST_CAPABILITIES && capability != 0; i++) {
            if (readConfig(capability, 1) == CAPABILITY_MSIX) {
                long table = readConfig(capability + MSIX_TABLE, 4);
                long at = table & ~7;
                boolean reachable = (table & 7) == 0 && VfioRegionInfo.msixMappable(info)
                        && at + (long) msixVectors * MSIX_ENTRY_BYTES <= mapped;
                return reachable ? at : -1;
            }
            capability = readConfig(capability + 1, 1) & ~3;
        }
        return -1;
    }

    private void watchRequests() {
        try (Arena arena = Arena.ofConfined()) {
            if (interrupts(arena, VfioCalls.REQ_IRQ) > 0) {
                requestEvent = Errno.check("eventfd", calls.eventfd());
                Errno.check("VFIO_DEVICE_SET_IRQS request of " + address, calls.ioctl(fd, VfioCalls.DEVICE_SET_IRQS,
                        VfioIrqSet.trigger(arena, VfioCalls.REQ_IRQ, new int[]{requestEvent})));
            }
        }
    }

    PciAddress address() {
        return address;
    }

    /// All of BAR `index`, mapped until the device is freed.
    ///
    /// @throws ErrnoException if the kernel does not
    MemorySegment map(int index) throws Exception {
        MemorySegment known = moreMappings.get(index);
        return known == null ? blocking.call(() -> mapAnother(index)) : known;
    }

    private MemorySegment mapAnother(int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = region(arena, index);
            long length = VfioRegionInfo.mappableBytes(info);
            String call = "mmap BAR" + index + " of " + address;
            if (length == 0) {
                throw new ErrnoException(call, Errno.ENXIO);
            }
            long start = Errno.check(call, calls.mmap(length, fd, VfioRegionInfo.offset(info)));
            MemorySegment mapped = calls.view(start, length);
            moreMappings.put(index, mapped);
            return mapped;
        }
    }

    /// The number of its IOMMU group.
    int group() {
        return group;
    }

    Bar bar() {
        return bar;
    }

    // ---- configuration space ----------------------------------------------------------------------------------

    /// Reads 1, 2 or 4 bytes, unsigned. On a thread that may block.
    private long readConfig(long offset, int byteLength) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8, 8);
            checkWhole("pread", calls.pread(fd, buffer, byteLength, configOffset + offset), byteLength);
            return buffer.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    private void checkWhole(String call, long result, int byteLength) {
        Errno.check(call + " configuration space of " + address, result);
        if (result != byteLength) {
            throw new ErrnoException(call + " configuration space of " + address, Errno.EIO);
        }
    }

    /// Sets and clears bits of the command register. On a thread that may block.
    private void command(int set, int clear) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8, 8);
            buffer.set(ValueLayout.JAVA_SHORT, 0, (short) (readConfig(COMMAND, 2) & ~clear | set));
            checkWhole("pwrite", calls.pwrite(fd, buffer, 2, configOffset + COMMAND), 2);
        }
    }

    // ---- interrupts -------------------------------------------------------------------------------------------

    /// How many MSI-X vectors the device has.
    int msixVectors() {
        return msixVectors;
    }

    /// Enables MSI-X vectors 0 to `count - 1`; VFIO cannot add any later. Vector i counts in [#msixEvent].
    void enableMsix(int count) throws Exception {
        if (count > msixVectors) {
            throw new IllegalArgumentException("count=" + count + " is more than the " + msixVectors + " vectors of "
                    + address);
        }
        blocking.call(() -> {
            int[] events = new int[count];
            Arrays.fill(events, -1);
            boolean complete = false;
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < count; i++) {
                    events[i] = Errno.check("eventfd", calls.eventfd());
                }
                Errno.check("VFIO_DEVICE_SET_IRQS MSI-X of " + address, calls.ioctl(fd,
                        VfioCalls.DEVICE_SET_IRQS, VfioIrqSet.trigger(arena, VfioCalls.MSIX_IRQ, events)));
                msixEvents = events;
                complete = true;
            } finally {
                if (!complete) {
                    close(events);
                }
            }
            return null;
        });
    }

    /// The eventfd of a vector that is enabled; the device's to close.
    int msixEvent(int vector) {
        return msixEvents[vector];
    }

    /// An eventfd that becomes readable when the kernel wants the device back (an orderly removal, an unbind), or -1.
    /// The kernel waits until the device is closed. The device's to close.
    int requestEvent() {
        return requestEvent;
    }

    /// Sets the counter of one of its eventfds to 0. Any thread; never blocks.
    void drain(int event, MemorySegment buffer) {
        calls.drain(event, buffer);
    }

    // ---- reset and end ----------------------------------------------------------------------------------------

    /// Resets the function; nobody may touch [#bar] meanwhile. Then it can reach memory as before.
    void reset() throws Exception {
        blocking.call(() -> {
            Errno.check("VFIO_DEVICE_RESET " + address, calls.ioctl(fd, VfioCalls.DEVICE_RESET, 0));
            command(REACH_MEMORY, 0);
            return null;
        });
    }

    /// Takes the device's access to memory away.
    void cutOff() throws Exception {
        blocking.call(() -> {
            command(0, COMMAND_BUS_MASTER);
            return null;
        });
    }

    /// Closes all that it has. [#bar] is dead from here on. On a thread that may block.
    void free() {
        calls.munmap(bar.mapped().address(), bar.mapped().byteSize());
        moreMappings.values().forEach(mapped -> calls.munmap(mapped.address(), mapped.byteSize()));
        calls.close(fd); // disables the interrupts
        close(msixEvents);
        close(new int[]{requestEvent});
    }

    private void close(int[] events) {
        for (int event : events) {
            if (event >= 0) {
                calls.close(event);
            }
        }
    }
}
