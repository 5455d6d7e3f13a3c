package io.spindrift.test.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.OpenBdev;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A target on two cores, if there are two, with one bdev of the kind under test and a thread on each core.
abstract class ContractFixture {
    /// As a namespace of an NVMe controller is called: others may have any name.
    static final String NAME = "Contract0n1";
    static final int CORES = Math.min(2, Runtime.getRuntime().availableProcessors());

    @TempDir
    Path folder;

    final Arena arena = Arena.ofShared();
    final Random random = new Random(20261130);
    EmbeddedTarget target;
    IoThread first;
    IoThread second;

    // ---- what a kind of bdev says -------------------------------------------------------------------------------

    /// Makes the bdev [#NAME], of [#numBlocks()] blocks, by RPC.
    abstract void create() throws Exception;

    /// Removes it by RPC.
    abstract void delete();

    abstract long numBlocks();

    /// What a read and a write carry for a block: data, and metadata if it is interleaved.
    abstract int blockSize();

    /// Whether it can be written at all.
    boolean writable() {
        return true;
    }

    /// What a block reads as that was never written, or was zeroed or unmapped.
    byte[] emptyBlock() {
        return new byte[blockSize()];
    }

    /// Makes `blocks` what the device takes for its blocks from `firstBlock` on.
    void protect(byte[] blocks, long firstBlock) {}

    // ---- the fixture --------------------------------------------------------------------------------------------

    @BeforeEach
    void startTarget() throws Exception {
        target = EmbeddedTarget.start("contract", options -> options.cpuMask(cores()));
        first = target.application().reactors().createThread("first", CpuMask.of(0));
        second = target.application().reactors().createThread("second", CpuMask.of(CORES - 1));
        create();
    }

    private static CpuMask cores() {
        return CORES == 1 ? CpuMask.of(0) : CpuMask.of(0, 1);
    }

    @AfterEach
    void stopTarget() throws Exception {
        if (target != null) {
            first.run(first::exit);
            second.run(second::exit);
            assertEquals(0, target.stop(), () -> log());
            target.close();
        }
        arena.close();
    }

    private String log() {
        try {
            return String.join("\n", target.log());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    // ---- for the tests ------------------------------------------------------------------------------------------

    OpenBdev open() {
        return OpenBdev.open(target, NAME, first);
    }

    BdevGeometry geometry() {
        return target.registry().get(NAME).geometry();
    }

    boolean supports(int ioType) {
        return target.registry().get(NAME).supports(ioType);
    }

    /// What an I/O ends with that needs the type `ioType`. NVMe generic status 01h is Invalid Command Opcode.
    long successOrUnsupported(int ioType) {
        return supports(ioType) ? BdevStatus.SUCCESS : BdevStatus.nvme(0, 0x01);
    }

    /// Random blocks that the device takes from `firstBlock` on.
    byte[] blocks(long firstBlock, int count) {
        byte[] bytes = new byte[count * blockSize()];
        random.nextBytes(bytes);
        protect(bytes, firstBlock);
        return bytes;
    }

    byte[] emptyBlocks(int count) {
        byte[] bytes = new byte[count * blockSize()];
        for (int i = 0; i < count; i++) {
            System.arraycopy(emptyBlock(), 0, bytes, i * blockSize(), blockSize());
        }
        return bytes;
    }

    void write(OpenBdev bdev, long firstBlock, byte[] bytes) {
        write(bdev, firstBlock, Vectors.of(bytes, arena));
    }

    void write(OpenBdev bdev, long firstBlock, IoVector vector) {
        long count = vector.byteLength() / blockSize();
        assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(vector, firstBlock, count, done)));
    }

    byte[] read(OpenBdev bdev, long firstBlock, int count) {
        return read(bdev, firstBlock, Vectors.of(new byte[count * blockSize()], arena));
    }

    byte[] read(OpenBdev bdev, long firstBlock, IoVector vector) {
        long count = vector.byteLength() / blockSize();
        assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(vector, firstBlock, count, done)));
        return Vectors.bytes(vector);
    }

    static void assertStatus(long expected, long status) {
        assertEquals(BdevStatus.text(expected), BdevStatus.text(status));
    }

    /// `bytes` from one block on, `count` blocks.
    byte[] slice(byte[] bytes, int fromBlock, int count) {
        return Arrays.copyOfRange(bytes, fromBlock * blockSize(), (fromBlock + count) * blockSize());
    }
}
