package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Bytes at a known place by which a file system, a partition table or a part of an array is known.
///
/// Reading them is the last guard against giving away a disk that is in use by nobody at the moment, but not empty.
///
/// @param what   the words for it
/// @param offset where the bytes are; from the end of the disk if it is negative
/// @param bytes  the bytes
record DiskSignature(String what, long offset, byte[] bytes) {
    private static final int SECTOR = 512;
    private static final int LARGE_SECTOR = 4096;

    /// The first that is found is told, so that the more exact ones come first.
    private static final List<DiskSignature> KNOWN = List.of(
            text("a GPT partition table", SECTOR, "EFI PART"),
            text("a GPT partition table", LARGE_SECTOR, "EFI PART"),
            text("a GPT partition table's copy", -SECTOR, "EFI PART"),
            text("a GPT partition table's copy", -LARGE_SECTOR, "EFI PART"),
            bytes("an ext2, ext3 or ext4 file system", 1024 + 56, "53ef"),
            text("an XFS file system", 0, "XFSB"),
            text("a Btrfs file system", 0x10040, "_BHRfS_M"),
            bytes("an F2FS file system", 1024, "1020f5f2"),
            bytes("a Bcachefs file system", LARGE_SECTOR + 24, "c68573f666ce90a9d96a60cf803df7ef"),
            bytes("a bcache cache", LARGE_SECTOR + 24, "c68573f64e1a45ca8265f57f48ba6d81"),
            bytes("a LUKS container", 0, "4c554b53babe"),
            text("an LVM physical volume", 0, "LABELONE"),
            text("an LVM physical volume", SECTOR, "LABELONE"),
            text("an LVM physical volume", 2 * SECTOR, "LABELONE"),
            text("an LVM physical volume", 3 * SECTOR, "LABELONE"),
            bytes("a part of a Linux RAID array", 0, "fc4e2ba9"),
            bytes("a part of a Linux RAID array", LARGE_SECTOR, "fc4e2ba9"),
            text("swap space", 4096 - 10, "SWAPSPACE2"),
            text("swap space", 16384 - 10, "SWAPSPACE2"),
            text("swap space", 65536 - 10, "SWAPSPACE2"),
            bytes("a VMFS file system", 1 << 20, "0dd001c0"),
            text("a Ceph BlueStore", 0, "bluestore block device"),
            text("a Squashfs file system", 0, "hsqs"),
            text("an ISO 9660 file system", 0x8001, "CD001"),
            text("an APFS container", 32, "NXSB"),
            text("an NTFS file system", 3, "NTFS    "),
            bytes("an MBR partition table or a boot sector", 510, "55aa"));

    /// Of a ZFS pool's first label: its ring of 128 uberblocks, of which any may be the valid one.
    private static final byte[] UBERBLOCK = HexFormat.of().parseHex("0cb1ba0000000000");
    private static final int UBERBLOCKS_AT = 128 * 1024;
    private static final int UBERBLOCKS = 128;

    private static DiskSignature text(String what, long offset, String text) {
        return new DiskSignature(what, offset, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static DiskSignature bytes(String what, long offset, String hex) {
        return new DiskSignature(what, offset, HexFormat.of().parseHex(hex));
    }

    /// What is on a disk of `size` bytes; empty if it is nothing that is known.
    static Optional<String> find(Path disk, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(disk, StandardOpenOption.READ)) {
            for (DiskSignature signature : KNOWN) {
                if (signature.isOn(channel, size)) {
                    return Optional.of(signature.what());
                }
            }
            if (hasRaidAtEnd(channel, size)) {
                return Optional.of("a part of a Linux RAID array");
            }
            for (int i = 0; i < UBERBLOCKS; i++) {
                if (Arrays.equals(UBERBLOCK, read(channel, UBERBLOCKS_AT + i * 1024L, UBERBLOCK.length))) {
                    return Optional.of("a part of a ZFS pool");
                }
            }
            return Optional.empty();
        }
    }

    private boolean isOn(FileChannel disk, long size) throws IOException {
        return Arrays.equals(bytes, read(disk, offset < 0 ? size + offset : offset, bytes.length));
    }

    /// Superblocks 1.0 and 0.90 of md(4): 8 KiB before the end at a multiple of 4 KiB, and in the last whole 64 KiB but one.
    private static boolean hasRaidAtEnd(FileChannel disk, long size) throws IOException {
        byte[] magic = HexFormat.of().parseHex("fc4e2ba9");
        return Arrays.equals(magic, read(disk, size - 8192 & -4096, magic.length))
                || Arrays.equals(magic, read(disk, (size & -65536) - 65536, magic.length));
    }

    /// The bytes at `offset`; fewer at the end, and none where there is no such offset.
    private static byte[] read(FileChannel disk, long offset, int length) throws IOException {
        if (offset < 0) {
            return new byte[0];
        }
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && disk.read(buffer, offset + buffer.position()) > 0) {
            // until the end of the disk
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
