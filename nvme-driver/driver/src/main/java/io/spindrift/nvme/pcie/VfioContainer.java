package io.spindrift.nvme.pcie;

import static io.spindrift.nvme.internal.ffi.VfioCalls.API_VERSION;
import static io.spindrift.nvme.internal.ffi.VfioCalls.O_CLOEXEC;
import static io.spindrift.nvme.internal.ffi.VfioCalls.O_RDWR;
import static io.spindrift.nvme.internal.ffi.VfioCalls.TYPE1V2_IOMMU;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryDomain;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.memory.spi.MemoryConsumer;
import io.spindrift.nvme.internal.ffi.VfioCalls;
import io.spindrift.nvme.internal.ffi.VfioDma;
import io.spindrift.nvme.internal.ffi.VfioGroupStatus;
import io.spindrift.nvme.internal.ffi.VfioIommuInfo;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/// The address space that all devices of an application share: an IOMMU container, in which every region of [Memory]
/// is mapped while there is a device.
///
/// Mapping pins memory: all of each region, touched or not, counts against the limit of locked memory.
///
/// Control path, any thread but a reactor's: what can block runs by the [Blocking] given. [#map] and [#unmap] are
/// called by [Memory] under its lock, and take none of [#open].
final class VfioContainer implements MemoryConsumer {
    /// What a kernel that does not name its IOVAs is taken to have: the user half of the address space.
    private static final List<IovaAllocator.Range> UNKNOWN_RANGES = List.of(
            new IovaAllocator.Range(0, (1L << 47) - 1));

    private final VfioCalls calls;
    private final SystemPaths paths;
    private final Memory memory;
    private final Blocking blocking;
    private final Optional<UUID> vfToken;
    private final IovaAllocator iovas = new IovaAllocator();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, Group> groups = new HashMap<>();
    /// -1 without a device.
    private volatile int fd = -1;
    private volatile int consumerIndex = -1;

    /// An IOMMU group in the container, and how many of its devices are open.
    private static final class Group {
        private final int fd;
        private int devices;

        Group(int fd) {
            this.fd = fd;
        }
    }

    /// A container that takes nothing until a device is opened.
    ///
    /// @param vfToken given to the kernel with each virtual function
    VfioContainer(VfioCalls calls, SystemPaths paths, Memory memory, Blocking blocking, Optional<UUID> vfToken) {
        this.calls = calls;
        this.paths = paths;
        this.memory = memory;
        this.blocking = blocking;
        this.vfToken = vfToken;
    }

    // ---- devices ----------------------------------------------------------------------------------------------

    /// Opens `device`; the first has every region mapped. The caller gives what it gets to [#close].
    ///
    /// @throws ErrnoException if the kernel refuses, with the call and the file
    /// @throws io.spindrift.framework.memory.MemoryMapException if memory cannot be mapped
    VfioDevice open(PciDevice device) throws Exception {
        int number = device.iommuGroup()
                .orElseThrow(() -> new ErrnoException(Errno.ENODEV, device.obstacle().orElse("no IOMMU group")));
        lock.lock();
        try {
            Group group = joined(number);
            try {
                VfioDevice opened = blocking.call(() -> VfioDevice.open(calls, deviceFd(group, device),
                        device.address(), number, blocking));
                group.devices++;
                return opened;
            } catch (Exception e) {
                leaveIfUnused(number, group);
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Where [MemoryRegion#value] has the IOVA of a region, while a device is open.
    int consumerIndex() {
        return consumerIndex;
    }

    private int deviceFd(Group group, PciDevice device) {
        String name = device.address() + (device.virtualFunction()
                ? vfToken.map(token -> " vf_token=" + token).orElse("")
                : "");
        try (Arena arena = Arena.ofConfined()) {
            return Errno.check("VFIO_GROUP_GET_DEVICE_FD " + name,
                    calls.ioctl(group.fd, VfioCalls.GROUP_GET_DEVICE_FD, arena.allocateFrom(name)));
        }
    }

    private Group joined(int number) throws Exception {
        Group group = groups.get(number);
        if (group != null) {
            return group;
        }
        Group joining = blocking.call(() -> join(number));
        groups.put(number, joining);
        try {
            if (consumerIndex < 0) {
                consumerIndex = memory.addConsumer(this);
            }
        } catch (RuntimeException e) {
            leaveIfUnused(number, joining);
            throw e;
        }
        return joining;
    }

    /// On a thread that may block.
    private Group join(int number) {
        if (fd < 0) {
            fd = openContainer();
        }
        Path node = paths.dev().resolve("vfio").resolve(Integer.toString(number));
        int group = -1;
        boolean complete = false;
        try (Arena arena = Arena.ofConfined()) {
            group = Errno.check("open " + node, calls.open(node.toString(), O_RDWR | O_CLOEXEC));
            MemorySegment status = VfioGroupStatus.allocate(arena);
            Errno.check("VFIO_GROUP_GET_STATUS " + node, calls.ioctl(group, VfioCalls.GROUP_GET_STATUS, status));
            if ((VfioGroupStatus.flags(status) & VfioCalls.GROUP_VIABLE) == 0) {
                throw new ErrnoException(Errno.EBUSY, node + " is not viable: another device of the group has a "
                        + "driver of the kernel");
            }
            Errno.check("VFIO_GROUP_SET_CONTAINER " + node,
                    calls.ioctl(group, VfioCalls.GROUP_SET_CONTAINER, pointerTo(arena, fd)));
            if (groups.isEmpty()) {
                Errno.check("VFIO_SET_IOMMU type1v2 " + node, calls.ioctl(fd, VfioCalls.SET_IOMMU, TYPE1V2_IOMMU));
            }
            iovas.ranges(iovaRanges(arena));
            complete = true;
            return new Group(group);
        } finally {
            if (!complete) {
                if (group >= 0) {
                    calls.close(group); // leaves the container too
                }
                closeIfUnused();
            }
        }
    }

    private int openContainer() {
        Path node = paths.dev().resolve("vfio/vfio");
        int container = Errno.check("open " + node, calls.open(node.toString(), O_RDWR | O_CLOEXEC));
        int version = calls.ioctl(container, VfioCalls.GET_API_VERSION, 0);
        if (version != API_VERSION || calls.ioctl(container, VfioCalls.CHECK_EXTENSION, TYPE1V2_IOMMU) <= 0) {
            calls.close(container);
            throw new ErrnoException(Errno.EOPNOTSUPP, node + " has API version " + version
                    + " and no type 1 v2 IOMMU; needed are version " + API_VERSION
                    + " and the module vfio_iommu_type1");
        }
        return container;
    }

    private List<IovaAllocator.Range> iovaRanges(Arena arena) {
        MemorySegment info = VfioIommuInfo.allocate(arena);
        Errno.check("VFIO_IOMMU_GET_INFO", calls.ioctl(fd, VfioCalls.IOMMU_GET_INFO, info));
        int count = VfioIommuInfo.rangeCount(info);
        if (count == 0) {
            return UNKNOWN_RANGES;
        }
        long[] starts = new long[count];
        long[] lasts = new long[count];
        for (int i = 0; i < count; i++) {
            starts[i] = VfioIommuInfo.rangeStart(info, i);
            lasts[i] = VfioIommuInfo.rangeLast(info, i);
        }
        return IovaAllocator.ofUnsigned(starts, lasts);
    }

    private static MemorySegment pointerTo(Arena arena, int fd) {
        return arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_INT, fd);
    }

    /// Stops the device's access to memory and gives it back; with the last one every region is unmapped. Only the end of
    /// this lets the kernel go on with a removal, and with a removed device it may take the mappings away itself.
    void close(VfioDevice device) throws Exception {
        lock.lock();
        try {
            try {
                device.cutOff();
            } catch (ErrnoException gone) {
                // A device that is not there any more reaches no memory.
            }
            Group group = groups.get(device.group());
            group.devices--;
            unmapIfUnused(group);
            blocking.call(() -> {
                device.free();
                return null;
            });
            leaveIfUnused(device.group(), group);
        } finally {
            lock.unlock();
        }
    }

    private void unmapIfUnused(Group last) {
        boolean used = groups.values().stream().anyMatch(group -> group.devices > 0);
        if (!used && last.devices == 0 && consumerIndex >= 0) {
            memory.removeConsumer(consumerIndex);
            consumerIndex = -1;
        }
    }

    private void leaveIfUnused(int number, Group group) throws Exception {
        if (group.devices > 0) {
            return;
        }
        unmapIfUnused(group);
        groups.remove(number);
        blocking.call(() -> {
            calls.close(group.fd);
            closeIfUnused();
            return null;
        });
    }

    private void closeIfUnused() {
        if (groups.isEmpty() && fd >= 0) {
            calls.close(fd);
            fd = -1;
            iovas.clear();
        }
    }

    // ---- memory -----------------------------------------------------------------------------------------------

    @Override
    public String name() {
        return "vfio";
    }

    /// The IOVA of the region's first byte; memory of other devices is not mapped.
    @Override
    public long map(MemoryRegion region) throws Exception {
        if (!region.domain().equals(MemoryDomain.HOST)) {
            return NOT_MAPPED;
        }
        long iova = iovas.take(region.address(), region.byteLength());
        try {
            blocking.call(() -> mapDma(region, iova));
            return iova;
        } catch (Exception e) {
            iovas.free(iova);
            throw e;
        }
    }

    private Void mapDma(MemoryRegion region, long iova) throws IOException {
        int result;
        try (Arena arena = Arena.ofConfined()) {
            result = calls.ioctl(fd, VfioCalls.IOMMU_MAP_DMA,
                    VfioDma.map(arena, region.address(), iova, region.byteLength()));
        }
        if (result == -Errno.ENOMEM) {
            throw new ErrnoException(Errno.ENOMEM, "a device needs " + region.byteLength() + " bytes of " + region
                    + " locked in memory, and the limit of locked memory (RLIMIT_MEMLOCK, ulimit -l) is "
                    + lockedMemoryLimit() + ": raise it, or take less memory (-s/--mem-size)");
        }
        if (result == -Errno.ENOSPC) {
            throw new ErrnoException(Errno.ENOSPC, region + " is one mapping more than VFIO allows "
                    + "(vfio_iommu_type1.dma_entry_limit, 65535 unless set)");
        }
        Errno.check("VFIO_IOMMU_MAP_DMA " + region + " at IOVA 0x" + Long.toHexString(iova), result);
        return null;
    }

    /// What the kernel says of this process: `8388608 bytes`, or `unlimited`.
    private String lockedMemoryLimit() throws IOException {
        String name = "Max locked memory";
        return Files.readAllLines(paths.proc().resolve("self/limits")).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0])
                .map(limit -> limit.equals("unlimited") ? limit : limit + " bytes")
                .findFirst().orElse("unknown");
    }

    /// A mapping that the kernel does not find is one that it has taken away with its last device. Should it still have it, its
    /// pages stay pinned, so that no device writes into what is others' by then; its place is not given again.
    @Override
    public void unmap(MemoryRegion region, long iova) {
        try {
            if (blocking.call(() -> unmapDma(region, iova)) == 0) {
                iovas.free(iova);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("unmap of " + region, e);
        }
    }

    private int unmapDma(MemoryRegion region, long iova) {
        try (Arena arena = Arena.ofConfined()) {
            return calls.ioctl(fd, VfioCalls.IOMMU_UNMAP_DMA, VfioDma.unmap(arena, iova, region.byteLength()));
        }
    }

    /// A range of IOVAs that no memory is mapped at: a device takes it for memory of its own.
    long reserve(long byteLength) {
        return iovas.reserve(byteLength);
    }

    /// Gives such a range back.
    void unreserve(long iova) {
        iovas.free(iova);
    }
}
