package io.spindrift.bdev.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What is accepted and refused when a bdev is made, resized and removed.
class FileLimitsTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private final FileCallsFake calls = new FileCallsFake();
    private FileBdevs bdevs;

    @BeforeEach
    void open() throws Exception {
        bdevs = new FileBdevs(calls, 1);
    }

    @AfterEach
    void close() throws Exception {
        bdevs.close();
        assertEquals(calls.opened, calls.closed, "every file that was opened is closed");
    }

    private Path file(long size) throws Exception {
        Path file = directory.resolve("file");
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.setLength(size);
        }
        return file;
    }

    private static FileSpec spec(String name, Path file, int blockSize) {
        return new FileSpec(FileSpec.Family.URING, name, file.toString(), blockSize, false, true, Optional.empty(),
                false);
    }

    private void refused(int errno, String message, Path file, int blockSize) throws Exception {
        ErrnoException e = assertThrows(ErrnoException.class, () -> bdevs.create(spec("x", file, blockSize)));
        assertEquals(errno, e.errno(), e.getMessage());
        assertEquals(message, e.getMessage());
        assertTrue(bdevs.registry.find("x").isEmpty());
        Path other = Files.write(directory.resolve("other"), new byte[512]);
        bdevs.registry.unregister(bdevs.create(spec("x", other, 512)));
    }

    @Test
    void refusesAFileThatIsMissing() throws Exception {
        Path file = directory.resolve("none");
        refused(Errno.ENOENT, "open " + file + ": No such file or directory", file, 512);
    }

    @Test
    void refusesAnEmptyNameAsTheKernelDoes() throws Exception {
        refused(Errno.ENOENT, "open : No such file or directory", Path.of(""), 512);
    }

    @Test
    void refusesAFileThatIsNotAMultipleOfTheBlock() throws Exception {
        Path file = file(MIB + 512);
        refused(Errno.EINVAL, "filename=" + file + " has 1049088 bytes, which is not a multiple of block_size=4096",
                file, 4096);
    }

    @Test
    void refusesAnEmptyFile() throws Exception {
        Path file = file(0);
        refused(Errno.EINVAL, "filename=" + file + " is empty; at least one block of 512 bytes is needed", file, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 511, 513, 1000, Integer.MAX_VALUE})
    void refusesABlockSizeThatIsNone(int blockSize) throws Exception {
        refused(Errno.EINVAL, "block_size=" + blockSize + " must be a power of two, at least 512", file(MIB),
                blockSize);
    }

    @Test
    void refusesADirectory() throws Exception {
        refused(Errno.EINVAL, "filename=" + directory + " is neither a regular file nor a block device", directory, 0);
    }

    @Test
    void refusesACharacterDeviceBecauseNothingCanBeDetected() throws Exception {
        refused(Errno.EINVAL, "filename=/dev/zero is neither a regular file nor a block device", Path.of("/dev/zero"),
                0);
    }

    @Test
    void refusesTheSameNameAndUuidTwice() throws Exception {
        UUID uuid = UUID.randomUUID();
        Path file = file(MIB);
        FileSpec first = new FileSpec(FileSpec.Family.AIO, "a", file.toString(), 512, false, false, Optional.of(uuid),
                false);
        bdevs.create(first);
        assertEquals(Errno.EEXIST, assertThrows(ErrnoException.class, () -> bdevs.create(first)).errno());
        FileSpec second = new FileSpec(FileSpec.Family.AIO, "b", file.toString(), 512, false, false,
                Optional.of(uuid), false);
        assertEquals(Errno.EEXIST, assertThrows(ErrnoException.class, () -> bdevs.create(second)).errno());
        assertEquals(1, bdevs.registry.bdevs().size());
    }

    @Test
    void detectsABlockSizeThatTheFilesSizeFits() throws Exception {
        assertEquals(512, bdevs.create(spec("a", file(MIB + 512), 0)).blockSize());
        assertEquals(2049, bdevs.registry.get("a").numBlocks());
    }

    @Test
    void offersNoWritesOnAReadOnlyFile() throws Exception {
        Bdev bdev = bdevs.create(new FileSpec(FileSpec.Family.AIO, "a", file(MIB).toString(), 512, true, true,
                Optional.empty(), false));
        for (int type : new int[]{BdevIoType.WRITE, BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES}) {
            assertEquals(false, bdev.supportsNatively(type), BdevIoType.name(type));
        }
        assertTrue(bdev.supportsNatively(BdevIoType.READ));
    }

    @Test
    void unmapsOnlyIfAskedToByTheAioName() throws Exception {
        Path file = file(MIB);
        Bdev without = bdevs.create(new FileSpec(FileSpec.Family.AIO, "a", file.toString(), 512, false, false,
                Optional.empty(), false));
        Bdev with = bdevs.create(new FileSpec(FileSpec.Family.AIO, "b", file.toString(), 512, false, true,
                Optional.empty(), false));
        assertEquals(false, without.supportsNatively(BdevIoType.UNMAP));
        assertEquals(true, with.supportsNatively(BdevIoType.UNMAP));
    }

    // ---- size -------------------------------------------------------------------------------------------------

    @Test
    void takesOverTheNewSizeOfTheFile() throws Exception {
        Bdev bdev = bdevs.create(spec("a", file(MIB), 512));
        file(3 * MIB);
        bdevs.module.rescan("a");
        assertEquals(6144, bdev.numBlocks());
        file(MIB);
        bdevs.module.rescan("a");
        assertEquals(2048, bdev.numBlocks());
    }

    @Test
    void keepsTheOldSizeIfTheNewOneFitsNoBlocks() throws Exception {
        Bdev bdev = bdevs.create(spec("a", file(MIB), 4096));
        Path file = file(MIB + 1);
        ErrnoException e = assertThrows(ErrnoException.class, () -> bdevs.module.rescan("a"));
        assertEquals("filename=" + file + " has 1048577 bytes, which is not a multiple of block_size=4096",
                e.getMessage());
        assertEquals(256, bdev.numBlocks());
    }

    @Test
    void doesNotShrinkWhileOpen() throws Exception {
        Bdev bdev = bdevs.create(spec("a", file(MIB), 512));
        BdevDescriptor descriptor = bdevs.open(bdev, false);
        file(MIB / 2);
        assertEquals(Errno.EBUSY, assertThrows(ErrnoException.class, () -> bdevs.module.rescan("a")).errno());
        descriptor.closeAndWait();
    }

    // ---- RPC --------------------------------------------------------------------------------------------------

    private JsonNode call(String method, String params) {
        return bdevs.rpc.dispatch(method, Json.parse(params));
    }

    /// The requests and answers of reference/rpc-transcript.json.
    @Test
    void answersAsThePeer() throws Exception {
        String file = file(MIB).toString();
        assertEquals("Aio0", call("bdev_aio_create",
                "{\"name\":\"Aio0\",\"filename\":\"" + file + "\",\"block_size\":512}").asString());
        assertEquals(-2, assertThrows(RpcException.class, () -> call("bdev_aio_create",
                "{\"name\":\"Aio1\",\"filename\":\"" + file + ".none\",\"block_size\":512}")).code());
        assertEquals(-22, assertThrows(RpcException.class, () -> call("bdev_aio_create",
                "{\"name\":\"Aio2\",\"filename\":\"" + file + "\",\"block_size\":1000}")).code());
        assertEquals("U0", call("bdev_uring_create",
                "{\"name\":\"U0\",\"filename\":\"" + file + "\",\"block_size\":512}").asString());
        assertTrue(call("bdev_aio_rescan", "{\"name\":\"Aio0\"}").asBoolean());
        assertTrue(call("bdev_uring_rescan", "{\"name\":\"U0\"}").asBoolean());
        assertTrue(call("bdev_aio_delete", "{\"name\":\"Aio0\"}").asBoolean());
        assertTrue(call("bdev_uring_delete", "{\"name\":\"U0\"}").asBoolean());
        assertEquals(-19,
                assertThrows(RpcException.class, () -> call("bdev_uring_delete", "{\"name\":\"U0\"}")).code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"block_size\":0"})
    void detectsTheBlockSizeWhenItIsZeroOrNotGiven(String blockSize) throws Exception {
        call("bdev_uring_create", "{\"name\":\"a\",\"filename\":\"" + file(MIB) + "\"" + blockSize + "}");
        assertTrue(bdevs.registry.get("a").blockSize() >= 512);
    }

    @Test
    void savesTheCallThatMakesTheSameBdev() throws Exception {
        String file = file(MIB).toString();
        call("bdev_aio_create", "{\"name\":\"a\",\"filename\":\"" + file
                + "\",\"readonly\":true,\"fallocate\":true,\"nowait\":true}");
        call("bdev_uring_create", "{\"name\":\"b\",\"filename\":\"" + file + "\"}");
        for (String name : List.of("a", "b")) {
            Bdev bdev = bdevs.registry.get(name);
            List<ConfigEntry> saved = bdev.backend().config(bdev);
            bdevs.registry.unregister(bdev);
            saved.forEach(entry -> bdevs.rpc.dispatch(entry.method(), Json.tree(entry.params())));
            Bdev again = bdevs.registry.get(name);
            assertEquals(saved, again.backend().config(again));
        }
    }
}
