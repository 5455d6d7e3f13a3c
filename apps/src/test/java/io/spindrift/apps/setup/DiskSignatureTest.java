package io.spindrift.apps.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// By which bytes a disk's contents are known.
class DiskSignatureTest {
    private static final long SIZE = 512 << 20;

    @TempDir
    private Path folder;

    private Path disk;

    @BeforeEach
    void makeDisk() throws IOException {
        disk = folder.resolve("disk");
        write(SIZE - 1, new byte[1]);
    }

    private void write(long offset, byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.seek(offset);
            file.write(bytes);
        }
    }

    private String found() throws IOException {
        return DiskSignature.find(disk, Files.size(disk)).orElse("nothing");
    }

    @Test
    void isNoneOnAnEmptyDisk() throws IOException {
        assertEquals("nothing", found());
    }

    @Test
    void isNoneWhereFilesOfAProgramBegin() throws IOException {
        byte[] random = new byte[4 << 20];
        new Random(7).nextBytes(random);
        write(0, random);
        assertEquals("nothing", found());
    }

    @Test
    void isLookedForWithinADiskHoweverSmallItIs() throws IOException {
        for (int size = 0; size < 66_000; size += 511) {
            Path small = Files.write(folder.resolve("small"), new byte[size]);
            assertEquals(Optional.empty(), DiskSignature.find(small, size));
        }
    }

    /// What the programs that make them have written.
    @ParameterizedTest
    @CsvSource({"mkfs.ext4 -q -F, an ext2 ext3 or ext4 file system", "mkfs.xfs -q -f, an XFS file system",
            "mkswap, swap space", "mkfs.btrfs -q, a Btrfs file system", "mkfs.f2fs -q, an F2FS file system",
            "mkfs.vfat, an MBR partition table or a boot sector", "pvcreate -q --devicesfile=, an LVM physical volume"})
    void isFoundAsItsProgramWritesIt(String program, String what) throws Exception {
        String[] words = (program + " " + disk).split(" ");
        Optional<Path> tool = Optional.of(words[0]).map(name -> Path.of("/usr/sbin", name)).filter(Files::isExecutable);
        assumeTrue(tool.isPresent(), words[0] + " is not installed");
        words[0] = tool.get().toString();
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(process.waitFor() == 0, said);
        assertEquals(what, found().replace(",", ""));
    }

    /// Offsets and magic numbers from the headers of the kernel and of libblkid; -1 is the last byte.
    @ParameterizedTest
    @CsvSource({"512,     4546492050415254, a GPT partition table", "4096,    4546492050415254, a GPT partition table",
            "-512,    4546492050415254, a GPT partition table's copy",
            "-4096,   4546492050415254, a GPT partition table's copy",
            "65600,   5f42485266535f4d, a Btrfs file system", "1024,    1020f5f2,         an F2FS file system",
            "0,       4c554b53babe0002, a LUKS container", "512,     4c4142454c4f4e45, an LVM physical volume",
            "1536,    4c4142454c4f4e45, an LVM physical volume", "4096,    fc4e2ba9, a part of a Linux RAID array",
            "0,       fc4e2ba9, a part of a Linux RAID array", "-8192,   fc4e2ba9, a part of a Linux RAID array",
            "-65536,  fc4e2ba9, a part of a Linux RAID array", "65526,   5357415053504143 4532, swap space",
            "131072,  0cb1ba0000000000, a part of a ZFS pool", "261120,  0cb1ba0000000000, a part of a ZFS pool",
            "510,     55aa,             an MBR partition table or a boot sector"})
    void isFoundWhereTheSpecificationHasIt(long offset, String hex, String what) throws IOException {
        write(offset < 0 ? SIZE + offset : offset, HexFormat.of().parseHex(hex.replace(" ", "")));
        assertEquals(what, found());
    }
}
