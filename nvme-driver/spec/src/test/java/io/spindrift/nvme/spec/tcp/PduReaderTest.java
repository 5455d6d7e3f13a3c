package io.spindrift.nvme.spec.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PduReaderTest {
    private static final int MAX_DATA = 8192;
    private static final int ALIGNMENT = 16;

    private final Arena arena = Arena.ofAuto();

    /// Writes down what it is told.
    private static final class Recorder implements PduHandler {
        final List<String> events = new ArrayList<>();
        private long dataSum;
        private long dataBytes;
        /// How many headers it refuses before it takes one.
        int refusals;
        int refused;

        @Override
        public boolean header(int type, MemorySegment pdu, long at, long dataLength) {
            if (refused < refusals) {
                refused++;
                return false;
            }
            refused = 0;
            dataSum = 0;
            dataBytes = 0;
            events.add(PduType.name(type) + " " + dataLength + " " + LittleEndian.u32(pdu, at + 8));
            return true;
        }

        @Override
        public void data(MemorySegment buffer, long offset, long length, long position) {
            assertTrue(length > 0);
            assertEquals(dataBytes, position);
            for (long i = 0; i < length; i++) {
                dataSum = dataSum * 31 + LittleEndian.u8(buffer, offset + i);
            }
            dataBytes += length;
        }

        @Override
        public void end(int type, boolean intact) {
            events.add("end " + PduType.name(type) + " " + dataBytes + " " + dataSum + " " + intact);
        }

        @Override
        public void violated(int fes, int fei, MemorySegment pdu, long at, int length) {
            pdu.asSlice(at, length);
            events.add("violated " + fes + " " + fei);
        }
    }

    // ---- streams that are right -------------------------------------------------------------------------------

    /// A stream of command capsules and data PDUs, and what a reader must say of it.
    private final class Stream {
        final MemorySegment bytes = arena.allocate(1 << 20);
        final List<String> expected = new ArrayList<>();
        final boolean headerDigest;
        final boolean dataDigest;
        private final Random random;
        long length;

        Stream(long seed, int pdus, boolean headerDigest, boolean dataDigest) {
            this.random = new Random(seed);
            this.headerDigest = headerDigest;
            this.dataDigest = dataDigest;
            for (int i = 0; i < pdus; i++) {
                int data = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(MAX_DATA);
                if (data == 0 || random.nextBoolean()) {
                    capsule(data);
                } else {
                    h2cData(data);
                }
            }
        }

        private void capsule(int data) {
            if (data == 0) {
                CapsuleCmd.write(bytes, length, headerDigest);
            } else {
                CapsuleCmd.write(bytes, length, headerDigest, dataDigest, ALIGNMENT, data);
            }
            for (int i = 8; i < CapsuleCmd.SIZE; i++) {
                LittleEndian.u8(bytes, length + i, random.nextInt(256));
            }
            finish(PduType.CAPSULE_CMD, CapsuleCmd.SIZE, data);
        }

        private void h2cData(int data) {
            H2CData.write(bytes, length, headerDigest, dataDigest, ALIGNMENT, true, random.nextInt(65536), 7, 0, data);
            finish(PduType.H2C_DATA, H2CData.SIZE, data);
        }

        private void finish(int type, int hlen, int data) {
            expected.add(PduType.name(type) + " " + data + " " + LittleEndian.u32(bytes, length + 8));
            if (headerDigest) {
                LittleEndian.dword(bytes, length + hlen, reference(length, hlen));
            }
            long dataAt = length + PduHeader.pdo(bytes, length);
            long sum = 0;
            for (int i = 0; i < data; i++) {
                int value = random.nextInt(256);
                LittleEndian.u8(bytes, dataAt + i, value);
                sum = sum * 31 + value;
            }
            if (dataDigest && data > 0) {
                LittleEndian.dword(bytes, dataAt + data, reference(dataAt, data));
            }
            expected.add("end " + PduType.name(type) + " " + data + " " + sum + " true");
            length += PduHeader.plen(bytes, length);
        }

        /// CRC32C bit by bit, with the polynomial of RFC 3720.
        private int reference(long at, int size) {
            int crc = -1;
            for (int i = 0; i < size; i++) {
                crc ^= LittleEndian.u8(bytes, at + i);
                for (int bit = 0; bit < 8; bit++) {
                    crc = (crc & 1) != 0 ? crc >>> 1 ^ 0x82f63b78 : crc >>> 1;
                }
            }
            return ~crc;
        }
    }

    private PduReader reader(Recorder recorder, boolean headerDigest, boolean dataDigest) {
        PduReader reader = new PduReader(recorder, true, arena);
        reader.agree(headerDigest, dataDigest, ALIGNMENT);
        reader.limits(MAX_DATA, MAX_DATA);
        return reader;
    }

    @Property(tries = 300)
    void tearsOfTheStreamDoNotMatter(@ForAll long seed, @ForAll boolean headerDigest, @ForAll boolean dataDigest,
            @ForAll @IntRange(min = 1, max = 3000) int longestPiece, @ForAll @IntRange(max = 2) int refusals) {
        Stream stream = new Stream(seed, 12, headerDigest, dataDigest);
        Recorder recorder = new Recorder();
        recorder.refusals = refusals;
        PduReader reader = reader(recorder, headerDigest, dataDigest);
        Random random = new Random(seed);
        long at = 0;
        while (at < stream.length) {
            long piece = Math.min(stream.length - at, 1 + random.nextInt(longestPiece));
            long used = reader.read(stream.bytes, at, piece);
            assertTrue(used == piece || reader.waiting(), "used=" + used + " of " + piece);
            at += used;
        }
        while (reader.waiting()) {
            reader.read(stream.bytes, at, 0);
        }
        assertEquals(stream.expected, recorder.events);
        assertFalse(reader.insidePdu());
    }

    @Test
    void readsTheFirstPduAndTerminationsWithoutDigests() {
        MemorySegment bytes = arena.allocate(512);
        IcReq.write(bytes, 0, 0, 3, 0);
        TermReq.write(bytes, 128, PduType.H2C_TERM_REQ, TermReq.FES_PDU_SEQUENCE_ERROR, 0, 72);
        Recorder recorder = new Recorder();
        PduReader reader = reader(recorder, true, true);
        assertEquals(128 + 24 + 72, reader.read(bytes, 0, 128 + 24 + 72));
        assertEquals(
                List.of("ICReq 0 " + (3 << 24), "end ICReq 0 0 true", "H2CTermReq 72 2", "end H2CTermReq 72 0 true"),
                recorder.events);
    }

    // ---- digests ----------------------------------------------------------------------------------------------

    /// RFC 3720, B.4: 32 bytes of zeroes, 32 of ones, 32 ascending.
    @Test
    void digestsAreThoseOfRfc3720() {
        MemorySegment bytes = arena.allocate(96);
        for (int i = 0; i < 32; i++) {
            bytes.set(ValueLayout.JAVA_BYTE, 32 + i, (byte) 0xff);
            bytes.set(ValueLayout.JAVA_BYTE, 64 + i, (byte) i);
        }
        Crc32c crc = new Crc32c();
        assertEquals(0x8a9136aa, crc.of(bytes, 0, 32));
        assertEquals(0x62a8ab43, crc.of(bytes, 32, 32));
        assertEquals(0x46dd794e, crc.of(bytes, 64, 32));
    }

    @Test
    void aFlippedBitInDataIsTheCommandsAndOneInAHeaderTheConnections() {
        Stream stream = new Stream(3, 40, true, true);
        int flipped = 0;
        for (long at = 0; at < stream.length; at += PduHeader.plen(stream.bytes, at)) {
            long dataAt = at + PduHeader.pdo(stream.bytes, at);
            if (dataAt == at) {
                continue;
            }
            flip(stream.bytes, dataAt);
            Recorder recorder = new Recorder();
            reader(recorder, true, true).read(stream.bytes, at, PduHeader.plen(stream.bytes, at));
            assertTrue(recorder.events.getLast().endsWith(" false"), recorder.events::toString);
            flip(stream.bytes, dataAt);
            flip(stream.bytes, at + 8);
            recorder = new Recorder();
            reader(recorder, true, true).read(stream.bytes, at, PduHeader.plen(stream.bytes, at));
            int digest = LittleEndian.dword(stream.bytes, at + PduHeader.hlen(stream.bytes, at));
            assertEquals(List.of("violated 3 " + digest), recorder.events);
            flip(stream.bytes, at + 8);
            flipped++;
        }
        assertTrue(flipped > 10);
    }

    private static void flip(MemorySegment bytes, long at) {
        LittleEndian.u8(bytes, at, LittleEndian.u8(bytes, at) ^ 0x10);
    }

    // ---- streams that are wrong -------------------------------------------------------------------------------

    /// Type, FLAGS, HLEN, PDO, PLEN of a header that is wrong, and the offset of the field.
    @ParameterizedTest
    @CsvSource({
            "1, 0, 128, 0, 128, 0", // a controller's
            "8, 0, 24, 0, 24, 0", // no type
            "255, 0, 24, 0, 24, 0", // no type
            "0, 0, 127, 0, 128, 2", // HLEN of ICReq
            "0, 0, 128, 0, 129, 4", // PLEN of ICReq
            "4, 1, 71, 0, 76, 2", // HLEN of a capsule
            "4, 0, 72, 0, 76, 1", // no digest, though agreed
            "4, 1, 72, 0, 75, 4", // shorter than its header
            "4, 1, 72, 76, 84, 3", // PDO not aligned
            "4, 1, 72, 64, 84, 3", // PDO inside of the header
            "4, 1, 72, 80, 84, 4", // no data, but place for their digest
            "4, 1, 72, 80, 88, 1", // data without digest, though agreed
            "4, 3, 72, 80, 8277, 4", // a byte too many
            "4, 3, 72, 80, 4294967295, 4", // 4 GiB
            "6, 1, 24, 0, 28, 4", // a data PDU without data
            "6, 3, 24, 255, 290, 3", // PDO not aligned
            "2, 0, 24, 0, 153, 4", // a termination that is too long
            "2, 0, 24, 0, 23, 4", // or too short
    })
    void namesTheWrongField(int type, int flags, int hlen, int pdo, long plen, int field) {
        MemorySegment bytes = arena.allocate(8192);
        PduHeader.write(bytes, 0, type, flags, hlen, pdo, plen);
        for (int piece : new int[]{8192, 8, 3, 1}) {
            Recorder recorder = new Recorder();
            PduReader reader = reader(recorder, true, true);
            for (long at = 0; at < 8192 && recorder.events.isEmpty(); at += piece) {
                reader.read(bytes, at, Math.min(piece, 8192 - at));
            }
            assertEquals(List.of("violated 1 " + field), recorder.events);
            assertFalse(reader.insidePdu());
            assertEquals(0, reader.read(bytes, 0, 8192), "nothing is read after a violation");
        }
    }

    /// Bytes at random, and streams of which some bytes are.
    @Property(tries = 2000)
    void survivesAnything(@ForAll long seed, @ForAll boolean headerDigest, @ForAll boolean dataDigest) {
        Random random = new Random(seed);
        Stream stream = new Stream(seed, 4, headerDigest, dataDigest);
        int changes = random.nextInt(6);
        for (int i = 0; i < changes; i++) {
            LittleEndian.u8(stream.bytes, random.nextLong(stream.length), random.nextInt(256));
        }
        long at = random.nextInt(4) == 0 ? random.nextLong(stream.length) : 0;
        Recorder recorder = new Recorder();
        PduReader reader = reader(recorder, headerDigest, dataDigest);
        while (at < stream.length && (recorder.events.isEmpty()
                || !recorder.events.getLast().startsWith("violated"))) {
            long piece = Math.min(stream.length - at, 1 + random.nextInt(600));
            long used = reader.read(stream.bytes, at, piece);
            assertTrue(used >= 0 && used <= piece);
            at += piece;
        }
        assertTrue(recorder.events.stream().filter(event -> event.startsWith("violated")).count() <= 1);
    }
}
