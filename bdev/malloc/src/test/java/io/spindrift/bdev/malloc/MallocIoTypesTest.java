package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The types beside read and write, on devices with every kind of metadata.
class MallocIoTypesTest {
    private static final String PLAIN = "";
    private static final String SEPARATE = ", 'md_size': 16";
    private static final String INTERLEAVED = ", 'md_size': 16, 'md_interleave': true";

    private final MallocFixture application = new MallocFixture();
    private final Arena arena = Arena.ofShared();
    private final Random random = new Random(1);

    @AfterEach
    void close() {
        application.close();
        arena.close();
    }

    private MallocFixture.OpenBdev create(String more) {
        application.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 1000, 'block_size': 512" + more + "}");
        return application.open("M");
    }

    /// Random contents for `count` blocks.
    private byte[] contents(MallocFixture.OpenBdev bdev, int count) {
        byte[] bytes = new byte[count * bdev.channel.bdev().blockSize()];
        random.nextBytes(bytes);
        return bytes;
    }

    private void write(MallocFixture.OpenBdev bdev, long first, byte[] bytes) {
        int count = bytes.length / bdev.channel.bdev().blockSize();
        assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(Vectors.of(bytes, arena), first,
                count, done)));
    }

    private byte[] read(MallocFixture.OpenBdev bdev, long first, int count) {
        IoVector vector = Vectors.of(new byte[count * bdev.channel.bdev().blockSize()], arena);
        assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(vector, first, count, done)));
        return Vectors.bytes(vector);
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, SEPARATE, INTERLEAVED})
    void unmapsAndZeroesExactlyTheRange(String more) {
        try (MallocFixture.OpenBdev bdev = create(more)) {
            byte[] bytes = contents(bdev, 6);
            int blockSize = bdev.channel.bdev().blockSize();
            write(bdev, 10, bytes);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.unmap(11, 2, done)));
            Arrays.fill(bytes, blockSize, 3 * blockSize, (byte) 0);
            assertArrayEquals(bytes, read(bdev, 10, 6));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.writeZeroes(14, 1, done)));
            Arrays.fill(bytes, 4 * blockSize, 5 * blockSize, (byte) 0);
            assertArrayEquals(bytes, read(bdev, 10, 6));
        }
    }

    @Test
    void zeroesSeparateMetadataToo() {
        try (MallocFixture.OpenBdev bdev = create(SEPARATE)) {
            byte[] metadata = new byte[3 * 16];
            random.nextBytes(metadata);
            BdevIoOptions writing = new BdevIoOptions().metadata(Vectors.of(metadata, arena));
            IoVector data = Vectors.of(new byte[3 * 512], arena);
            bdev.run((channel, done) -> channel.write(data, 0, 3, writing, done));
            bdev.run((channel, done) -> channel.unmap(1, 1, done));
            BdevIoOptions reading = new BdevIoOptions().metadata(Vectors.of(new byte[3 * 16], arena));
            bdev.run((channel, done) -> channel.read(data, 0, 3, reading, done));
            Arrays.fill(metadata, 16, 32, (byte) 0);
            assertArrayEquals(metadata, Vectors.bytes(reading.metadata()));
        }
    }

    @Test
    void flushes() {
        try (MallocFixture.OpenBdev bdev = create(PLAIN)) {
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.flush(0, 1000, done)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, SEPARATE, INTERLEAVED})
    void comparesData(String more) {
        try (MallocFixture.OpenBdev bdev = create(more)) {
            byte[] bytes = contents(bdev, 3);
            write(bdev, 10, bytes);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.compare(
                    Vectors.scatter(bytes, 600, random, arena), 10, 3, null, done)));
            bytes[bytes.length - 1] ^= 1;
            assertEquals(BdevStatus.MISCOMPARE, bdev.run((channel, done) -> channel.compare(
                    Vectors.scatter(bytes, 600, random, arena), 10, 3, null, done)));
        }
    }

    @Test
    void comparesSeparateMetadataIfItIsGiven() {
        try (MallocFixture.OpenBdev bdev = create(SEPARATE)) {
            byte[] metadata = new byte[16];
            random.nextBytes(metadata);
            IoVector data = Vectors.of(new byte[512], arena);
            BdevIoOptions same = new BdevIoOptions().metadata(Vectors.of(metadata, arena));
            bdev.run((channel, done) -> channel.write(data, 0, 1, same, done));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.compare(data, 0, 1, same, done)));
            metadata[15] ^= 1;
            BdevIoOptions other = new BdevIoOptions().metadata(Vectors.of(metadata, arena));
            assertEquals(BdevStatus.MISCOMPARE, bdev.run((channel, done) -> channel.compare(data, 0, 1, other, done)));
        }
    }

    @Test
    void comparesAndWrites() {
        try (MallocFixture.OpenBdev bdev = create(PLAIN)) {
            byte[] before = contents(bdev, 1);
            byte[] after = contents(bdev, 1);
            write(bdev, 10, before);
            assertEquals(BdevStatus.MISCOMPARE, bdev.run((channel, done) -> channel.compareAndWrite(
                    Vectors.of(after, arena), Vectors.of(after, arena), 10, 1, null, done)));
            assertArrayEquals(before, read(bdev, 10, 1));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.compareAndWrite(
                    Vectors.of(before, arena), Vectors.of(after, arena), 10, 1, null, done)));
            assertArrayEquals(after, read(bdev, 10, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 8, 20})
    void copiesEvenOverItself(int target) {
        try (MallocFixture.OpenBdev bdev = create(PLAIN)) {
            byte[] bytes = contents(bdev, 6);
            write(bdev, 3, bytes);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.copy(target, 3, 6, done)));
            assertArrayEquals(bytes, read(bdev, target, 6));
        }
    }

    @Test
    void copiesSeparateMetadataToo() {
        try (MallocFixture.OpenBdev bdev = create(SEPARATE)) {
            byte[] metadata = new byte[16];
            random.nextBytes(metadata);
            IoVector data = Vectors.of(new byte[512], arena);
            bdev.run((channel, done) -> channel.write(data, 3, 1,
                    new BdevIoOptions().metadata(Vectors.of(metadata, arena)), done));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.copy(7, 3, 1, done)));
            BdevIoOptions reading = new BdevIoOptions().metadata(Vectors.of(new byte[16], arena));
            bdev.run((channel, done) -> channel.read(data, 7, 1, reading, done));
            assertArrayEquals(metadata, Vectors.bytes(reading.metadata()));
        }
    }

    /// With type 1 each block's reference tag is its address, so a copy that kept the old ones would not read.
    @Test
    void copiesProtectedBlocksToOtherAddresses() {
        try (MallocFixture.OpenBdev bdev = create(", 'md_size': 8, 'dif_type': 1")) {
            byte[] bytes = contents(bdev, 3);
            write(bdev, 3, bytes);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.copy(500, 3, 3, done)));
            assertArrayEquals(bytes, read(bdev, 500, 3));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.unmap(500, 1, done)));
            Arrays.fill(bytes, 0, 512, (byte) 0);
            assertArrayEquals(bytes, read(bdev, 500, 3));
        }
    }

    @Test
    void lendsItsOwnMemory() {
        try (MallocFixture.OpenBdev bdev = create(PLAIN)) {
            byte[] bytes = contents(bdev, 2);
            write(bdev, 10, bytes);
            byte[] lent = bdev.thread.callAsync(reply -> bdev.channel.zcopyStart(10, 2, true, io -> {
                byte[] seen = Vectors.bytes(io.vector());
                io.vector().fill((byte) 9);
                bdev.channel.zcopyEnd(io, true, _ -> reply.complete(seen));
            }));
            assertArrayEquals(bytes, lent);
            Arrays.fill(bytes, (byte) 9);
            assertArrayEquals(bytes, read(bdev, 10, 2));
        }
    }

    @Test
    void doesNotSeek() {
        try (MallocFixture.OpenBdev bdev = create(PLAIN)) {
            assertEquals(BdevStatus.UNSUPPORTED, bdev.run((channel, done) -> channel.seekData(0, done)));
        }
    }
}
