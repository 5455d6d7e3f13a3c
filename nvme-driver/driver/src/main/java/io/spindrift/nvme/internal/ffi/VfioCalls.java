package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.MemorySegment;

/// The system calls that drive a device through VFIO, with their C names.
///
/// Each returns what C returns or, for -1, the negated errno. All but [#drain] may block: platform threads of the
/// control path only (`control().blocking(...)`), asserted. An interface, so that a test can be the kernel.
public interface VfioCalls {
    int O_RDWR = 2;
    int O_CLOEXEC = 0x80000;

    /// `_IO(';', 100 + n)` for VFIO's n-th request (linux/vfio.h).
    long GET_API_VERSION = request(0);
    long CHECK_EXTENSION = request(1);
    long SET_IOMMU = request(2);
    long GROUP_GET_STATUS = request(3);
    long GROUP_SET_CONTAINER = request(4);
    long GROUP_UNSET_CONTAINER = request(5);
    long GROUP_GET_DEVICE_FD = request(6);
    long DEVICE_GET_INFO = request(7);
    long DEVICE_GET_REGION_INFO = request(8);
    long DEVICE_GET_IRQ_INFO = request(9);
    long DEVICE_SET_IRQS = request(10);
    long DEVICE_RESET = request(11);
    long IOMMU_GET_INFO = request(12);
    long IOMMU_MAP_DMA = request(13);
    long IOMMU_UNMAP_DMA = request(14);

    /// What GET_API_VERSION answers.
    int API_VERSION = 0;

    /// An IOMMU type, for CHECK_EXTENSION and SET_IOMMU.
    int TYPE1V2_IOMMU = 3;

    /// Flags of a group's status.
    int GROUP_VIABLE = 1;
    int GROUP_CONTAINER_SET = 1 << 1;

    /// Indexes of vfio-pci's regions.
    int BAR0_REGION = 0;
    int CONFIG_REGION = 7;

    /// Indexes of vfio-pci's interrupts.
    int MSIX_IRQ = 2;
    int ERR_IRQ = 3;
    int REQ_IRQ = 4;

    private static long request(int n) {
        return ';' << 8 | 100 + n;
    }

    int open(String path, int flags);

    int close(int fd);

    /// A request whose argument is the address of a structure.
    int ioctl(int fd, long request, MemorySegment argument);

    /// A request whose argument is a number.
    int ioctl(int fd, long request, long argument);

    /// Maps `length` bytes of `fd` from `offset`, shared, for reading and writing; the address.
    long mmap(long length, int fd, long offset);

    /// Undoes [#mmap].
    int munmap(long address, long length);

    /// All of `length` mapped bytes as a segment, until [#munmap].
    MemorySegment view(long address, long length);

    long pread(int fd, MemorySegment buffer, long length, long offset);

    long pwrite(int fd, MemorySegment buffer, long length, long offset);

    /// A descriptor that counts events, not blocking, counter 0.
    int eventfd();

    /// Sets the counter of an eventfd to 0; never blocks, allocates nothing. Any thread.
    ///
    /// @param buffer 8 bytes of the caller's
    /// @return how many events it had counted, or a negated errno
    long drain(int eventfd, MemorySegment buffer);
}
