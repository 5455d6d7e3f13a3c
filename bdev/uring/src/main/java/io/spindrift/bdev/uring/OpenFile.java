package io.spindrift.bdev.uring;

/// An open file or block device, and what its I/O must keep to. The descriptors belong to the bdev.
///
/// @param fd                what I/O goes to
/// @param bufferedFd        the same file through the page cache, for single I/Os that direct I/O refuses (ranges of odd
///                          lengths); -1 if `fd` is not direct
/// @param filename          as the user gave it
/// @param blockDevice       a block device, else a regular file
/// @param direct            opened with O_DIRECT, so that the page cache is passed by
/// @param readOnly          opened for reading only
/// @param size              in bytes when it was opened, a multiple of `blockSize`
/// @param blockSize         of the bdev
/// @param physicalBlockSize what the device writes at once, as far as it says
/// @param memoryAlignment   what buffers' addresses must be multiples of
/// @param unmapMode         mode of the fallocate that unmaps, 0 if none does
/// @param zeroMode          mode of the fallocate that writes zeroes, 0 if none does
/// @param discards          unmapped by the block device's own call
record OpenFile(int fd, int bufferedFd, String filename, boolean blockDevice, boolean direct, boolean readOnly,
        long size,
        int blockSize, int physicalBlockSize, int memoryAlignment, int unmapMode, int zeroMode, boolean discards) {
    long numBlocks() {
        return size / blockSize;
    }

    boolean unmaps() {
        return unmapMode != 0 || discards;
    }
}
