package io.spindrift.bdev.nulldev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifResult;
import io.spindrift.bdev.dif.DifType;
import io.spindrift.bdev.dif.PiFormat;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class NullIoTest {
    private static final int CHECKS = Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG;

    private static IoVector vector(MemorySegment segment) {
        IoVector vector = new IoVector(1);
        vector.add(segment, 0, segment.byteSize());
        return vector;
    }

    @Test
    void leavesTheBufferOfAReadAsItIs() throws Exception {
        try (NullFixture application = new NullFixture(); Arena arena = Arena.ofShared()) {
            application.call("bdev_null_create", "{'name': 'N', 'num_blocks': 8, 'block_size': 512}");
            MemorySegment block = arena.allocate(512, 512).fill((byte) 7);
            assertEquals(BdevStatus.SUCCESS, application.run("N", (channel, done) -> channel.read(vector(block), 3, 1,
                    done)));
            assertEquals(-1, block.mismatch(arena.allocate(512).fill((byte) 7)));
            assertEquals(BdevStatus.SUCCESS, application.run("N", (channel, done) -> channel.write(vector(block), 3, 1,
                    done)));
        }
    }

    @Test
    void givesReadsProtectionInformationThatFits() throws Exception {
        try (NullFixture application = new NullFixture(); Arena arena = Arena.ofShared()) {
            application.call("bdev_null_create",
                    "{'name': 'N', 'num_blocks': 100, 'block_size': 512, 'md_size': 8, 'dif_type': 1}");
            MemorySegment blocks = arena.allocate(3 * 520, 512).fill((byte) 7);
            assertEquals(BdevStatus.SUCCESS, application.run("N", (channel, done) -> channel.read(vector(blocks), 40, 3,
                    done)));
            Dif dif = new Dif(new DifFormat(512, 8, true, DifType.TYPE_1, PiFormat.GUARD_16, false));
            dif.tags(40, 0, 0);
            assertEquals(DifResult.OK, dif.verify(CHECKS, vector(blocks), 3));
        }
    }

    /// Status code type 2h, codes 82h (guard) and 84h (reference tag).
    @Test
    void checksTheProtectionInformationOfWrites() throws Exception {
        try (NullFixture application = new NullFixture(); Arena arena = Arena.ofShared()) {
            application.call("bdev_null_create",
                    "{'name': 'N', 'num_blocks': 100, 'block_size': 512, 'md_size': 8, 'dif_type': 1}");
            MemorySegment blocks = arena.allocate(3 * 520, 512);
            Dif dif = new Dif(new DifFormat(512, 8, true, DifType.TYPE_1, PiFormat.GUARD_16, false));
            dif.tags(40, 0, 0);
            dif.generate(vector(blocks), 3);
            assertEquals(BdevStatus.SUCCESS, application.run("N", (channel, done) -> channel.write(vector(blocks), 40,
                    3, done)));
            assertEquals(BdevStatus.nvme(0x2, 0x84), application.run("N", (channel, done) -> channel.write(
                    vector(blocks), 41, 3, done)));
            blocks.set(ValueLayout.JAVA_BYTE, 600, (byte) 1);
            assertEquals(BdevStatus.nvme(0x2, 0x82), application.run("N", (channel, done) -> channel.write(
                    vector(blocks), 40, 3, done)));
        }
    }

    /// End-to-end Application Tag Check Error: status code type 2h, code 83h; only the bits in the mask are compared.
    @Test
    void checksTheApplicationTagOfWritesWhereAskedTo() throws Exception {
        try (NullFixture application = new NullFixture(); Arena arena = Arena.ofShared()) {
            application.call("bdev_null_create",
                    "{'name': 'N', 'num_blocks': 100, 'block_size': 512, 'md_size': 8, 'dif_type': 1}");
            MemorySegment block = arena.allocate(520, 512);
            Dif dif = new Dif(new DifFormat(512, 8, true, DifType.TYPE_1, PiFormat.GUARD_16, false));
            dif.tags(40, 0x1234, 0);
            dif.generate(vector(block), 1);
            BdevIoOptions options = new BdevIoOptions().applicationTag(0x1235, 0xFFFF);
            assertEquals(BdevStatus.SUCCESS, application.run("N",
                    (channel, done) -> channel.write(vector(block), 40, 1, options, done)), "nobody asked");
            options.checkMask(Dif.CHECK_APPLICATION_TAG);
            assertEquals(BdevStatus.nvme(2, 0x83), application.run("N",
                    (channel, done) -> channel.write(vector(block), 40, 1, options, done)));
            options.applicationTag(0x1235, 0xFFFE);
            assertEquals(BdevStatus.SUCCESS, application.run("N",
                    (channel, done) -> channel.write(vector(block), 40, 1, options, done)));
        }
    }
}
