package io.spindrift.nvme.pcie;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.internal.ffi.LinuxVfioCalls;
import io.spindrift.nvme.internal.ffi.VfioCalls;
import io.spindrift.nvme.internal.ffi.VfioDma;
import io.spindrift.nvme.internal.ffi.VfioGroupStatus;
import io.spindrift.nvme.internal.ffi.VfioIommuInfo;
import io.spindrift.nvme.internal.ffi.VfioIrqSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The kernel's side of VFIO, with one device behind it: translates what the device reads and writes as the IOMMU would.
final class FakeVfio implements VfioCalls {
    static final int MSIX_VECTORS = 8;
    /// Where the device's BAR0 has its MSI-X table.
    static final long MSIX_TABLE_AT = 0x2000;

    private static final int CONTAINER_FD = 1_000_000;
    private static final int GROUP_FD = 1_000_001;
    private static final int DEVICE_FD = 1_000_002;
    private static final long CONFIG_OFFSET = 0x700_0000_0000L;
    private static final int MSIX_CAPABILITY_AT = 0x40;
    private static final int CMB_REGION = 2;
    private static final long CMB_OFFSET = 0x200_0000_0000L;

    private final LinuxVfioCalls linux = new LinuxVfioCalls();
    private final MemorySegment bar;
    private final MemorySegment config = MemorySegment.ofArray(new long[32]);
    /// Length of each mapping by IOVA, and the process's memory behind it.
    private final TreeMap<Long, MemorySegment> mappings = new TreeMap<>();
    private final Map<Long, Integer> refusals = new ConcurrentHashMap<>();
    private final Map<Integer, int[]> events = new HashMap<>();
    private final List<Integer> given = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    long[] rangeStarts = {0};
    long[] rangeLasts = {(1L << 39) - 1};
    boolean viable = true;
    /// The device's own memory, and where the device knows it; -1 for nowhere.
    final MemorySegment cmb = Arena.ofAuto().allocate(65536, 4096);
    long cmbBase = -1;
    int resets;
    /// How many mappings of memory are granted yet.
    int mapsLeft = Integer.MAX_VALUE;
    boolean configReadable = true;
    /// How often a BAR was mapped and unmapped.
    int barMaps;
    int barUnmaps;
    String deviceName = "";
    int apiVersion;

    /// One device, whose BAR0 this is.
    FakeVfio(MemorySegment bar) {
        this.bar = bar;
        config.set(ValueLayout.JAVA_BYTE, 0x34, (byte) MSIX_CAPABILITY_AT);
        config.set(ValueLayout.JAVA_BYTE, MSIX_CAPABILITY_AT, (byte) 0x11);
        config.set(ValueLayout.JAVA_INT_UNALIGNED, MSIX_CAPABILITY_AT + 4, (int) MSIX_TABLE_AT);
    }

    /// Has a request fail from now on; 0 has it succeed again.
    void refuse(long request, int errno) {
        refusals.put(request, errno);
    }

    // ---- what a test sees -------------------------------------------------------------------------------------

    synchronized TreeMap<Long, MemorySegment> mappings() {
        return new TreeMap<>(mappings);
    }

    /// The memory at an IOVA, as the IOMMU lets the device see it.
    ///
    /// @throws IndexOutOfBoundsException if any of it is not mapped
    synchronized MemorySegment at(long iova, long length) {
        if (cmbBase >= 0 && iova >= cmbBase && iova < cmbBase + cmb.byteSize()) {
            return cmb.asSlice(iova - cmbBase, length);
        }
        Map.Entry<Long, MemorySegment> mapping = mappings.floorEntry(iova);
        if (mapping == null) {
            throw new IndexOutOfBoundsException("no mapping at IOVA 0x" + Long.toHexString(iova));
        }
        return mapping.getValue().asSlice(iova - mapping.getKey(), length);
    }

    boolean busMaster() {
        return (config.get(ValueLayout.JAVA_SHORT, 4) & 4) != 0;
    }

    boolean masked(int vector) {
        return (bar.get(ValueLayout.JAVA_INT, MSIX_TABLE_AT + vector * 16L + 12) & 1) != 0;
    }

    /// The device raises an interrupt, if the process has asked for it and not masked it.
    void interrupt(int vector) {
        int[] fds = events.getOrDefault(MSIX_IRQ, new int[0]);
        if (vector < fds.length && !masked(vector)) {
            EventFd.signal(fds[vector]);
        }
    }

    /// The kernel wants the device back.
    void request() {
        EventFd.signal(events.get(REQ_IRQ)[0]);
    }

    // ---- calls ------------------------------------------------------------------------------------------------

    @Override
    public synchronized int open(String path, int flags) {
        return give(path.endsWith("vfio/vfio") ? CONTAINER_FD : GROUP_FD);
    }

    @Override
    public synchronized int close(int fd) {
        closed.add(fd);
        return fd >= CONTAINER_FD ? 0 : linux.close(fd);
    }

    /// Whether all that was opened is closed.
    synchronized boolean allClosed() {
        return closed.containsAll(given);
    }

    private int give(int fd) {
        given.add(fd);
        return fd;
    }

    @Override
    public synchronized int ioctl(int fd, long request, long argument) {
        if (refusals.getOrDefault(request, 0) != 0) {
            return -refusals.get(request);
        }
        if (request == GET_API_VERSION) {
            return apiVersion;
        }
        if (request == CHECK_EXTENSION) {
            return argument == TYPE1V2_IOMMU ? 1 : 0;
        }
        if (request == DEVICE_RESET) {
            resets++;
        }
        return 0;
    }

    @Override
    public synchronized int ioctl(int fd, long request, MemorySegment argument) {
        if (refusals.getOrDefault(request, 0) != 0) {
            return -refusals.get(request);
        }
        if (request == GROUP_GET_STATUS) {
            VfioGroupStatus.flags(argument, viable ? GROUP_VIABLE : 0);
        } else if (request == GROUP_GET_DEVICE_FD) {
            deviceName = argument.getString(0);
            return give(DEVICE_FD);
        } else if (request == IOMMU_GET_INFO) {
            VfioIommuInfo.write(argument, rangeStarts, rangeLasts);
        } else if (request == IOMMU_MAP_DMA) {
            return map(argument);
        } else if (request == IOMMU_UNMAP_DMA) {
            mappings.remove(VfioDma.unmappedIova(argument));
        } else if (request == DEVICE_GET_REGION_INFO) {
            region(argument);
        } else if (request == DEVICE_GET_IRQ_INFO) {
            argument.set(ValueLayout.JAVA_INT, 4, 1);
            argument.set(ValueLayout.JAVA_INT, 12,
                    argument.get(ValueLayout.JAVA_INT, 8) == MSIX_IRQ ? MSIX_VECTORS : 1);
        } else if (request == DEVICE_SET_IRQS) {
            int[] fds = new int[VfioIrqSet.count(argument)];
            for (int i = 0; i < fds.length; i++) {
                fds[i] = VfioIrqSet.eventfd(argument, i);
            }
            events.put(VfioIrqSet.index(argument), fds);
        }
        return 0;
    }

    @SuppressWarnings("restricted")
    private int map(MemorySegment map) {
        if (mapsLeft == 0) {
            return -Errno.ENOMEM;
        }
        mapsLeft--;
        long iova = VfioDma.mappedIova(map);
        long bytes = VfioDma.mappedBytes(map);
        boolean translated = false;
        for (int i = 0; i < rangeStarts.length; i++) {
            translated |= iova >= rangeStarts[i] && iova + bytes - 1 <= rangeLasts[i];
        }
        Map.Entry<Long, MemorySegment> before = mappings.lowerEntry(iova + bytes);
        if (!translated || before != null && before.getKey() + before.getValue().byteSize() > iova) {
            return translated ? -Errno.EEXIST : -Errno.EINVAL;
        }
        mappings.put(iova, MemorySegment.ofAddress(VfioDma.mappedVaddr(map)).reinterpret(bytes));
        return 0;
    }

    /// Flags: read, write, mapped, capabilities; BAR0 has the capability that its MSI-X table can be mapped.
    private void region(MemorySegment info) {
        int index = info.get(ValueLayout.JAVA_INT, 8);
        info.set(ValueLayout.JAVA_INT, 4, index == BAR0_REGION ? 0xf : index == CMB_REGION ? 7 : 3);
        info.set(ValueLayout.JAVA_INT, 12, index == BAR0_REGION ? 32 : 0);
        info.set(ValueLayout.JAVA_SHORT, 32, (short) 3);
        info.set(ValueLayout.JAVA_LONG, 16,
                index == BAR0_REGION ? bar.byteSize() : index == CMB_REGION ? cmb.byteSize() : 4096);
        info.set(ValueLayout.JAVA_LONG, 24,
                index == BAR0_REGION ? 0 : index == CMB_REGION ? CMB_OFFSET : CONFIG_OFFSET);
    }

    @Override
    public synchronized long mmap(long length, int fd, long offset) {
        barMaps++;
        return offset == CMB_OFFSET ? cmb.address() : bar.address();
    }

    @Override
    public synchronized int munmap(long address, long length) {
        barUnmaps++;
        return 0;
    }

    @Override
    public MemorySegment view(long address, long length) {
        return (address == cmb.address() ? cmb : bar).asSlice(0, length);
    }

    @Override
    public synchronized long pread(int fd, MemorySegment buffer, long length, long offset) {
        if (!configReadable) {
            return -Errno.EIO;
        }
        MemorySegment.copy(config, offset - CONFIG_OFFSET, buffer, 0, length);
        return length;
    }

    @Override
    public synchronized long pwrite(int fd, MemorySegment buffer, long length, long offset) {
        MemorySegment.copy(buffer, 0, config, offset - CONFIG_OFFSET, length);
        return length;
    }

    @Override
    public synchronized int eventfd() {
        return give(linux.eventfd());
    }

    @Override
    public long drain(int eventfd, MemorySegment buffer) {
        return linux.drain(eventfd, buffer);
    }
}
