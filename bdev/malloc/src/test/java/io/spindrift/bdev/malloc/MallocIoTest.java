package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MallocIoTest {
    private static final int CHECKS = Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG;

    private final MallocFixture application = new MallocFixture();
    private final Arena arena = Arena.ofShared();
    private final Random random = new Random(1);

    @AfterEach
    void close() {
        application.close();
        arena.close();
    }

    private MallocFixture.OpenBdev create(String more) {
        application.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 1000" + more + "}");
        return application.open("M");
    }

    private IoVector zeros(int length) {
        return Vectors.of(new byte[length], arena);
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void readsWhatWasWrittenAndZerosElsewhere() {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512")) {
            byte[] written = randomBytes(5 * 512);
            IoVector scattered = Vectors.scatter(written, 700, random, arena);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(scattered, 995, 5, done)));
            IoVector read = zeros(7 * 512);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 993, 7, done)));
            byte[] wanted = new byte[7 * 512];
            System.arraycopy(written, 0, wanted, 2 * 512, written.length);
            assertArrayEquals(wanted, Vectors.bytes(read));
        }
    }

    @Test
    void splitsAtTheOptimalBoundaryUnseen() {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'optimal_io_boundary': 4")) {
            byte[] written = randomBytes(50 * 512);
            IoVector vector = Vectors.scatter(written, 700, random, arena);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(vector, 3, 50, done)));
            IoVector read = zeros(50 * 512);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 3, 50, done)));
            assertArrayEquals(written, Vectors.bytes(read));
        }
    }

    @Test
    void splitsSeparateMetadataAlongWithTheData() {
        try (MallocFixture.OpenBdev bdev = create(
                ", 'block_size': 512, 'md_size': 16, 'dif_type': 1, 'optimal_io_boundary': 4")) {
            IoVector data = Vectors.scatter(randomBytes(50 * 512), 700, random, arena);
            BdevIoOptions writing = new BdevIoOptions().metadata(Vectors.scatter(randomBytes(50 * 16), 100, random,
                    arena));
            Dif dif = new Dif(new DifFormat(512, 16, false, DifType.TYPE_1, PiFormat.GUARD_16, false));
            dif.tags(3, 0, 0);
            dif.generate(data, writing.metadata(), 50);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(data, 3, 50, writing, done)));
            IoVector read = zeros(50 * 512);
            BdevIoOptions reading = new BdevIoOptions().metadata(zeros(50 * 16));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 3, 50, reading, done)));
            assertArrayEquals(Vectors.bytes(data), Vectors.bytes(read));
            assertArrayEquals(Vectors.bytes(writing.metadata()), Vectors.bytes(reading.metadata()));
        }
    }

    @Test
    void keepsSeparateMetadata() {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'md_size': 16")) {
            byte[] data = randomBytes(2 * 512);
            byte[] metadata = randomBytes(2 * 16);
            BdevIoOptions writing = new BdevIoOptions().metadata(Vectors.scatter(metadata, 5, random, arena));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(Vectors.of(data, arena), 7, 2,
                    writing, done)));
            BdevIoOptions reading = new BdevIoOptions().metadata(zeros(3 * 16));
            IoVector read = zeros(3 * 512);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 7, 3, reading, done)));
            assertArrayEquals(Arrays.copyOf(data, 3 * 512), Vectors.bytes(read));
            assertArrayEquals(Arrays.copyOf(metadata, 3 * 16), Vectors.bytes(reading.metadata()));
        }
    }

    @Test
    void clearsTheMetadataOfAWriteThatBringsNone() {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'md_size': 16")) {
            BdevIoOptions writing = new BdevIoOptions().metadata(Vectors.of(randomBytes(32), arena));
            bdev.run((channel, done) -> channel.write(zeros(1024), 7, 2, writing, done));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(zeros(512), 8, 1, done)));
            BdevIoOptions reading = new BdevIoOptions().metadata(zeros(32));
            bdev.run((channel, done) -> channel.read(zeros(1024), 7, 2, reading, done));
            byte[] wanted = Vectors.bytes(writing.metadata());
            Arrays.fill(wanted, 16, 32, (byte) 0);
            assertArrayEquals(wanted, Vectors.bytes(reading.metadata()));
        }
    }

    /// The guard covers byte 0; the reference tag is the last four bytes of the block's metadata (NVM Command Set
    /// specification, 16b guard). Status code type 2h, codes 82h and 84h.
    @ParameterizedTest
    @CsvSource({"0, 0x82", "512, 0x82", "519, 0x84"})
    void refusesAWriteWithACorruptField(int at, String code) {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'md_size': 8, 'md_interleave': true,"
                + " 'dif_type': 1")) {
            byte[] blocks = interleaved(100, 3);
            blocks[520 + at] ^= 1;
            IoVector vector = Vectors.of(blocks, arena);
            assertEquals(BdevStatus.nvme(0x2, Integer.decode(code)),
                    bdev.run((channel, done) -> channel.write(vector, 100, 3, done)));
            IoVector read = zeros(520);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 100, 1, done)));
            byte[] nothing = new byte[520];
            Arrays.fill(nothing, 512, 520, (byte) 0xFF);
            assertArrayEquals(nothing, Vectors.bytes(read), "nothing of a refused write is stored");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0x82", "512, 0x82", "519, 0x84"})
    void refusesAReadOfACorruptField(int at, String code) {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'md_size': 8, 'md_interleave': true,"
                + " 'dif_type': 1")) {
            byte[] blocks = interleaved(100, 3);
            blocks[520 + at] ^= 1;
            BdevIoOptions unchecked = new BdevIoOptions().checkMask(0);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(Vectors.of(blocks, arena), 100,
                    3, unchecked, done)));
            assertEquals(BdevStatus.nvme(0x2, Integer.decode(code)),
                    bdev.run((channel, done) -> channel.read(zeros(3 * 520), 100, 3, done)));
            IoVector read = zeros(3 * 520);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 100, 3, unchecked, done)));
            assertArrayEquals(blocks, Vectors.bytes(read));
        }
    }

    /// The application tag is bytes 2 and 3 of the tuple, most significant first, and no part of the guard. The mask has a
    /// one for each bit to compare; FFFFh exempts the block (type 3: only with a reference tag of all ones). End-to-end
    /// Application Tag Check Error: status code type 2h, code 83h (NVM Command Set specification, "Protection
    /// Information", and "PRCHK Definition" for the bit that asks for it).
    @ParameterizedTest
    @CsvSource({"1234, 1234, FFFF, true", "1235, 1234, FFFF, false", "1235, 1234, FFFE, true", "9234, 1234, 0FFF, true",
            "9234, 1234, 8000, false", "FFFF, 1234, FFFF, exempt"})
    void checksTheApplicationTagWhereAskedTo(String stored, String expected, String mask, String passes) {
        for (int type = 1; type <= 3; type++) {
            try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'md_size': 8, 'md_interleave': true,"
                    + " 'dif_type': " + type)) {
                byte[] blocks = interleaved(type == 3 ? 0 : 100, 3);
                int tag = Integer.parseInt(stored, 16);
                blocks[520 + 514] = (byte) (tag >>> 8);
                blocks[520 + 515] = (byte) tag;
                int mustPass = passes.equals("true") || passes.equals("exempt") && type != 3 ? 0 : 0x83;
                long status = mustPass == 0 ? BdevStatus.SUCCESS : BdevStatus.nvme(0x2, mustPass);
                BdevIoOptions asked = new BdevIoOptions().checkMask(2)
                        .applicationTag(Integer.parseInt(expected, 16), Integer.parseInt(mask, 16));
                // The others have tag 0, which is not what is asked for: one block.
                IoVector one = Vectors.of(Arrays.copyOfRange(blocks, 520, 1040), arena);
                assertEquals(status, bdev.run((channel, done) -> channel.write(one, 101, 1, asked, done)));
                IoVector all = Vectors.of(blocks, arena);
                assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(all, 100, 3, done)),
                        "nobody asked");
                IoVector read = zeros(520);
                assertEquals(status, bdev.run((channel, done) -> channel.read(read, 101, 1, asked, done)));
                assertEquals(status, bdev.run((channel, done) -> channel.compare(one, 101, 1, asked, done)));
                assertEquals(status, bdev.run((channel, done) -> channel.copy(10, 101, 1, done)) == 0
                        ? bdev.run((channel, done) -> channel.read(read, 10, 1, asked, done))
                        : -1, "a copy keeps the tag");
            }
            application.call("bdev_malloc_delete", "{'name': 'M'}");
        }
    }

    @Test
    void generatesProtectionInformationForAWriteThatBringsNone() {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512, 'md_size': 8, 'dif_type': 1")) {
            byte[] data = randomBytes(3 * 512);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.write(Vectors.of(data, arena), 10, 3,
                    done)));
            BdevIoOptions reading = new BdevIoOptions().metadata(zeros(24));
            IoVector read = zeros(3 * 512);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(read, 10, 3, reading, done)));
            assertArrayEquals(data, Vectors.bytes(read));
            Dif dif = new Dif(new DifFormat(512, 8, false, DifType.TYPE_1, PiFormat.GUARD_16, false));
            dif.tags(10, 0, 0);
            assertEquals(DifResult.OK, dif.verify(CHECKS, read, reading.metadata(), 3));
        }
    }

    @Test
    void completesAReset() {
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512")) {
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.reset(done)));
        }
    }

    @Test
    void keepsItsContentsWhileItIsClosed() {
        byte[] data = randomBytes(512);
        try (MallocFixture.OpenBdev bdev = create(", 'block_size': 512")) {
            bdev.run((channel, done) -> channel.write(Vectors.of(data, arena), 0, 1, done));
        }
        try (MallocFixture.OpenBdev bdev = application.open("M")) {
            IoVector read = zeros(512);
            bdev.run((channel, done) -> channel.read(read, 0, 1, done));
            assertArrayEquals(data, Vectors.bytes(read));
        }
    }

    /// Random blocks of 512 + 8 bytes with correct protection information of type 1.
    private byte[] interleaved(long first, int count) {
        IoVector vector = Vectors.of(randomBytes(count * 520), arena);
        Dif dif = new Dif(new DifFormat(512, 8, true, DifType.TYPE_1, PiFormat.GUARD_16, false));
        dif.tags(first, 0, 0);
        dif.generate(vector, count);
        return Vectors.bytes(vector);
    }
}
