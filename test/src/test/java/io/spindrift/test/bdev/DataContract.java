package io.spindrift.test.bdev;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.test.tgt.OpenBdev;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What a bdev must do beside [BdevContract] that keeps what is written to it.
abstract class DataContract extends BdevContract {
    @Test
    void readsItsEmptyBlocksToTheLast() {
        try (OpenBdev bdev = open()) {
            assertArrayEquals(emptyBlocks(3), read(bdev, numBlocks() - 3, 3));
        }
    }

    @Test
    void readsWhatWasWrittenAtAnyOffsetAndLength() {
        try (OpenBdev bdev = open()) {
            for (int count : new int[]{1, 2, 3, 7, 8, 9, 63, 129, 257}) {
                long at = random.nextLong(numBlocks() - count - 2) + 1;
                byte[] around = read(bdev, at - 1, count + 2);
                byte[] bytes = blocks(at, count);
                write(bdev, at, bytes);
                System.arraycopy(bytes, 0, around, blockSize(), bytes.length);
                assertArrayEquals(around, read(bdev, at - 1, count + 2), count + " blocks at " + at);
            }
        }
    }

    @Test
    void takesVectorsOfManyPieces() {
        try (OpenBdev bdev = open()) {
            for (int pieces : new int[]{2, 3, 64, 65, 500}) {
                byte[] bytes = blocks(11, 130);
                write(bdev, 11, Vectors.pieces(bytes, pieces, random, arena));
                assertArrayEquals(bytes, read(bdev, 11, Vectors.pieces(new byte[bytes.length], pieces, random, arena)),
                        pieces + " pieces");
            }
        }
    }

    @Test
    void leavesAloneWhatAVectorHasBeyondTheRequest() {
        try (OpenBdev bdev = open()) {
            byte[] bytes = blocks(5, 4);
            IoVector longer = Vectors.pieces(bytes, 3, random, arena);
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(longer, 5, 2, done)));
            assertArrayEquals(slice(bytes, 0, 2), read(bdev, 5, 2));
            assertArrayEquals(emptyBlocks(1), read(bdev, 7, 1));

            byte[] sevens = new byte[4 * blockSize()];
            Arrays.fill(sevens, (byte) 7);
            IoVector target = Vectors.pieces(sevens, 3, random, arena);
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(target, 5, 2, done)));
            System.arraycopy(bytes, 0, sevens, 0, 2 * blockSize());
            assertArrayEquals(sevens, Vectors.bytes(target));
        }
    }

    @Test
    void zeroesExactlyTheRange() {
        try (OpenBdev bdev = open()) {
            byte[] bytes = blocks(20, 30);
            write(bdev, 20, bytes);
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.writeZeroes(25, 9, done)));
            System.arraycopy(emptyBlocks(9), 0, bytes, 5 * blockSize(), 9 * blockSize());
            assertArrayEquals(bytes, read(bdev, 20, 30));
        }
    }

    @Test
    void zeroesTheWholeDevice() {
        try (OpenBdev bdev = open()) {
            write(bdev, 0, blocks(0, 10));
            write(bdev, numBlocks() - 10, blocks(numBlocks() - 10, 10));
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.writeZeroes(0, numBlocks(), done)));
            assertArrayEquals(emptyBlocks(10), read(bdev, 0, 10));
            assertArrayEquals(emptyBlocks(10), read(bdev, numBlocks() - 10, 10));
        }
    }

    @Test
    void unmapsExactlyTheRange() {
        try (OpenBdev bdev = open()) {
            byte[] bytes = blocks(20, 30);
            write(bdev, 20, bytes);
            assertStatus(successOrUnsupported(BdevIoType.UNMAP),
                    bdev.run((channel, done) -> channel.unmap(25, 9, done)));
            if (supports(BdevIoType.UNMAP)) {
                System.arraycopy(emptyBlocks(9), 0, bytes, 5 * blockSize(), 9 * blockSize());
            }
            assertArrayEquals(bytes, read(bdev, 20, 30));
        }
    }

    /// NVMe media and data integrity status 85h, Compare Failure.
    @Test
    void compares() {
        try (OpenBdev bdev = open()) {
            byte[] bytes = blocks(40, 70);
            write(bdev, 40, bytes);
            IoVector same = Vectors.pieces(bytes, 9, random, arena);
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.compare(same, 40, 70, null, done)));
            byte[] different = bytes.clone();
            different[69 * blockSize()] ^= 1;
            protect(different, 40);
            IoVector other = Vectors.pieces(different, 9, random, arena);
            assertStatus(BdevStatus.nvme(2, 0x85),
                    bdev.run((channel, done) -> channel.compare(other, 40, 70, null, done)));
        }
    }

    @Test
    void writesOnlyIfTheBlocksAreAsExpected() {
        try (OpenBdev bdev = open()) {
            byte[] before = blocks(40, 2);
            byte[] after = blocks(40, 2);
            write(bdev, 40, before);
            assertStatus(BdevStatus.MISCOMPARE, compareAndWrite(bdev, after, after));
            assertArrayEquals(before, read(bdev, 40, 2));
            assertStatus(BdevStatus.SUCCESS, compareAndWrite(bdev, before, after));
            assertArrayEquals(after, read(bdev, 40, 2));
        }
    }

    private long compareAndWrite(OpenBdev bdev, byte[] expected, byte[] bytes) {
        return bdev.run((channel, done) -> channel.compareAndWrite(Vectors.of(expected, arena),
                Vectors.of(bytes, arena), 40, 2, null, done));
    }

    @Test
    void copies() {
        try (OpenBdev bdev = open()) {
            byte[] bytes = blocks(3, 90);
            write(bdev, 3, bytes);
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.copy(201, 3, 90, done)));
            protect(bytes, 201);
            assertArrayEquals(bytes, read(bdev, 201, 90));
            assertArrayEquals(emptyBlocks(1), read(bdev, 200, 1));
            assertArrayEquals(emptyBlocks(1), read(bdev, 291, 1));
        }
    }

    @Test
    void lendsItsMemoryOrSaysThatItDoesNot() {
        try (OpenBdev bdev = open()) {
            byte[] bytes = blocks(30, 3);
            write(bdev, 30, bytes);
            byte[] next = blocks(30, 3);
            IoVector source = Vectors.of(next, arena);
            if (!supports(BdevIoType.ZCOPY_START)) {
                assertStatus(BdevStatus.UNSUPPORTED,
                        bdev.run((channel, done) -> channel.zcopyStart(30, 3, true, done)));
                return;
            }
            byte[] lent = bdev.thread().callAsync(reply -> bdev.channel().zcopyStart(30, 3, true, io -> {
                byte[] seen = Vectors.bytes(io.vector());
                io.vector().copyFrom(source, 0, 0, source.byteLength());
                bdev.channel().zcopyEnd(io, true, _ -> reply.complete(seen));
            }));
            assertArrayEquals(bytes, lent);
            assertArrayEquals(next, read(bdev, 30, 3));
        }
    }

    @Test
    void servesTwoThreadsAtOnce() {
        int each = (int) numBlocks() / 2 - 10;
        try (OpenBdev one = open(); OpenBdev two = one.on(second)) {
            Future<byte[]> low = clients.submit(() -> writeInRounds(one, 0, each));
            Future<byte[]> high = clients.submit(() -> writeInRounds(two, numBlocks() / 2, each));
            // What one thread wrote, the other reads.
            assertArrayEquals(get(low), read(two, 0, each));
            assertArrayEquals(get(high), read(one, numBlocks() / 2, each));
        }
    }

    /// Writes `count` blocks several times, many at once, and returns their last contents.
    private byte[] writeInRounds(OpenBdev bdev, long firstBlock, int count) {
        byte[] bytes = new byte[0];
        for (int round = 0; round < 5; round++) {
            byte[] contents;
            synchronized (random) {
                contents = blocks(firstBlock, count);
            }
            List<IoVector> vectors = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                vectors.add(Vectors.of(slice(contents, i, 1), arena));
            }
            List<Long> statuses = bdev.runAll(count, (channel, i, done) -> channel.write(vectors.get(i),
                    firstBlock + i, 1, done));
            assertEquals(List.of(), statuses.stream().filter(status -> status != 0).map(BdevStatus::text).toList());
            bytes = contents;
        }
        return bytes;
    }

    /// Many random operations, compared with an array of bytes after each.
    @Test
    void behavesAsAnArrayOfBlocks() {
        int size = 400;
        byte[] model = emptyBlocks(size);
        try (OpenBdev bdev = open()) {
            for (int step = 0; step < 300; step++) {
                int at = random.nextInt(size);
                int count = 1 + random.nextInt(Math.min(60, size - at));
                step(bdev, model, at, count);
                assertArrayEquals(slice(model, at, count), read(bdev, at, Vectors.pieces(
                        new byte[count * blockSize()], 1 + random.nextInt(5), random, arena)), "step " + step);
            }
            assertArrayEquals(model, read(bdev, 0, size));
        }
    }

    private void step(OpenBdev bdev, byte[] model, int at, int count) {
        byte[] after;
        switch (random.nextInt(4)) {
            case 0 -> {
                after = emptyBlocks(count);
                assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.writeZeroes(at, count, done)));
            }
            case 1 -> {
                int source = at < count ? at + count : at - count; // never overlapping
                int from = source + count > model.length / blockSize() ? at : source;
                after = slice(model, from, count);
                if (from != at) {
                    assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.copy(at, from, count, done)));
                    reprotect(after, at);
                }
            }
            default -> {
                after = blocks(at, count);
                write(bdev, at, Vectors.pieces(after, 1 + random.nextInt(5), random, arena));
            }
        }
        System.arraycopy(after, 0, model, at * blockSize(), after.length);
    }

    /// A copied block has protection information for its new place; an empty one has none.
    private void reprotect(byte[] blocks, long firstBlock) {
        for (int i = 0; i * blockSize() < blocks.length; i++) {
            byte[] block = slice(blocks, i, 1);
            if (!Arrays.equals(block, emptyBlock())) {
                protect(block, firstBlock + i);
                System.arraycopy(block, 0, blocks, i * blockSize(), blockSize());
            }
        }
    }
}
