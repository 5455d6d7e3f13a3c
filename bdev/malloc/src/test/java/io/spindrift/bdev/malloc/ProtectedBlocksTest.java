package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.BlockLayout;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifType;
import io.spindrift.bdev.dif.PiFormat;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Random sequences of operations on every layout, compared with a model that keeps blocks in arrays.
class ProtectedBlocksTest {
    private static final int BLOCKS = 150;
    private static final int TAG = 0x0102;
    private static final int CHECKS = Dif.CHECK_GUARD | Dif.CHECK_APPLICATION_TAG | Dif.CHECK_REFERENCE_TAG;

    @Provide
    Arbitrary<BlockLayout> layouts() {
        Arbitrary<Boolean> flags = Arbitraries.of(true, false);
        return Combinators.combine(Arbitraries.of(512, 4096), Arbitraries.of(16, 64, 128), flags,
                Arbitraries.of(DifType.TYPE_1, DifType.TYPE_2, DifType.TYPE_3), Arbitraries.of(PiFormat.values()),
                flags).as(BlockLayout::new);
    }

    @Property(tries = 120)
    void behavesAsTheModel(@ForAll("layouts") BlockLayout layout, @ForAll long seed) {
        try (Memory memory = new Memory(MemoryOptions.DEFAULT); Arena arena = Arena.ofConfined()) {
            MallocStorage storage = new MallocStorage(memory, "test", layout, BLOCKS);
            Run run = new Run(layout, new ProtectedBlocks(storage, layout.dif().orElseThrow()), new Random(seed),
                    arena);
            for (int step = 0; step < 60; step++) {
                run.step();
            }
            run.read(0, BLOCKS);
        }
    }

    /// One sequence: the device under test and the model.
    private static final class Run {
        private final DifFormat format;
        private final ProtectedBlocks device;
        private final Random random;
        private final Arena arena;
        private final Dif dif;
        /// What each block holds, data then metadata; null if it holds nothing.
        private final byte[][] model = new byte[BLOCKS][];

        Run(BlockLayout layout, ProtectedBlocks device, Random random, Arena arena) {
            this.format = layout.dif().orElseThrow();
            this.device = device;
            this.random = random;
            this.arena = arena;
            this.dif = new Dif(format);
            device.expect(CHECKS, TAG, 0xFFFF);
        }

        void step() {
            int first = random.nextInt(BLOCKS);
            int count = 1 + random.nextInt(Math.min(40, BLOCKS - first));
            switch (random.nextInt(6)) {
                case 0, 1 -> write(first, count, random.nextInt(4) == 0);
                case 2 -> read(first, count);
                case 3 -> {
                    device.deallocate(first, count);
                    Arrays.fill(model, first, first + count, null);
                }
                case 4 -> copy(first, random.nextInt(BLOCKS - count + 1), count);
                default -> compare(first, count);
            }
        }

        private void write(int first, int count, boolean corrupt) {
            byte[][] blocks = new byte[count][];
            for (int i = 0; i < count; i++) {
                blocks[i] = block(first + i);
            }
            int bad = random.nextInt(count);
            int badByte = random.nextInt(format.dataBytes());
            if (corrupt) {
                blocks[bad][badByte] ^= 1;
            }
            IoVector data = data(blocks);
            IoVector metadata = metadata(blocks);
            int half = random.nextInt(count);
            long status = half == 0 ? BdevStatus.SUCCESS : device.check(first, half, data, metadata, 0);
            if (status == BdevStatus.SUCCESS) {
                status = device.check(first + half, count - half, data, metadata, half);
            }
            if (corrupt) {
                // Media and Data Integrity Errors (2h), End-to-end Guard Check Error (82h).
                assertEquals(BdevStatus.nvme(0x2, 0x82), status);
            } else {
                assertEquals(BdevStatus.SUCCESS, status);
                assertEquals(BdevStatus.SUCCESS, device.store(first, count, data, metadata, 0));
                System.arraycopy(blocks, 0, model, first, count);
            }
        }

        void read(int first, int count) {
            byte[][] wanted = wanted(first, count);
            IoVector data = Vectors.scatter(new byte[count * format.blockBytes()], range(), random, arena);
            IoVector metadata = format.interleaved()
                    ? null
                    : Vectors.scatter(new byte[count * format.metadataBytes()], range(), random, arena);
            int half = random.nextInt(count);
            assertEquals(BdevStatus.SUCCESS, half == 0 ? 0 : device.read(first, half, data, metadata, 0));
            assertEquals(BdevStatus.SUCCESS, device.read(first + half, count - half, data, metadata, half));
            assertArrayEquals(Vectors.bytes(data(wanted)), Vectors.bytes(data));
            if (metadata != null) {
                assertArrayEquals(Vectors.bytes(metadata(wanted)), Vectors.bytes(metadata));
            }
        }

        private void compare(int first, int count) {
            byte[][] wanted = wanted(first, count);
            assertEquals(BdevStatus.SUCCESS, device.compare(first, count, data(wanted), metadata(wanted), 0));
            wanted[random.nextInt(count)][random.nextInt(format.dataBytes())] ^= 4;
            assertEquals(BdevStatus.MISCOMPARE, device.compare(first, count, data(wanted), metadata(wanted), 0));
        }

        private void copy(int source, int target, int count) {
            assertEquals(BdevStatus.SUCCESS, device.copy(source, target, count));
            byte[][] copied = Arrays.copyOfRange(model, source, source + count);
            for (int i = 0; i < count; i++) {
                model[target + i] = copied[i] == null ? null : protect(copied[i].clone(), target + i);
            }
        }

        /// Copies of the blocks as they should read.
        private byte[][] wanted(int first, int count) {
            byte[][] wanted = new byte[count][];
            for (int i = 0; i < count; i++) {
                wanted[i] = model[first + i] == null ? nothing() : model[first + i].clone();
            }
            return wanted;
        }

        private byte[] nothing() {
            byte[] block = new byte[format.dataBytes() + format.metadataBytes()];
            int tuple = format.dataBytes() + format.piOffset();
            Arrays.fill(block, tuple, tuple + format.piFormat().tupleBytes(), (byte) 0xFF);
            return block;
        }

        private byte[] block(long address) {
            byte[] block = new byte[format.dataBytes() + format.metadataBytes()];
            random.nextBytes(block);
            return protect(block, address);
        }

        /// Has a [Dif] of its own make the protection information of a block; of type 3, with one reference tag for all.
        private byte[] protect(byte[] block, long referenceTag) {
            byte[][] one = {block};
            IoVector data = data(one);
            dif.tags(format.type() == DifType.TYPE_3 ? 0 : referenceTag, TAG, 0);
            if (format.interleaved()) {
                dif.generate(data, 1);
                return Vectors.bytes(data);
            }
            IoVector metadata = metadata(one);
            dif.generate(data, metadata, 1);
            System.arraycopy(Vectors.bytes(metadata), 0, block, format.dataBytes(), format.metadataBytes());
            return block;
        }

        private IoVector data(byte[][] blocks) {
            byte[] all = new byte[blocks.length * format.blockBytes()];
            for (int i = 0; i < blocks.length; i++) {
                System.arraycopy(blocks[i], 0, all, i * format.blockBytes(), format.blockBytes());
            }
            return Vectors.scatter(all, range(), random, arena);
        }

        private IoVector metadata(byte[][] blocks) {
            if (format.interleaved()) {
                return null;
            }
            byte[] all = new byte[blocks.length * format.metadataBytes()];
            for (int i = 0; i < blocks.length; i++) {
                System.arraycopy(blocks[i], format.dataBytes(), all, i * format.metadataBytes(),
                        format.metadataBytes());
            }
            return Vectors.scatter(all, range(), random, arena);
        }

        private int range() {
            return random.nextBoolean() ? 1 << 20 : 900 + random.nextInt(3000);
        }
    }
}
