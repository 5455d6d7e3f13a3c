package io.spindrift.bdev.dif;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/// Over every layout, and data cut into entries anywhere.
class DifPropertyTest {
    private static final int ALL_CHECKS = Dif.CHECK_GUARD | Dif.CHECK_APPLICATION_TAG | Dif.CHECK_REFERENCE_TAG;

    @Provide
    Arbitrary<DifFormat> formats() {
        Arbitrary<Integer> dataBytes = Arbitraries.of(1, 17, 511, 512, 520, 4096, 5000);
        Arbitrary<Integer> spare = Arbitraries.of(0, 1, 8, 48, 200);
        Arbitrary<DifType> types = Arbitraries.of(DifType.TYPE_1, DifType.TYPE_2, DifType.TYPE_3);
        Arbitrary<Boolean> flags = Arbitraries.of(true, false);
        return Combinators.combine(dataBytes, spare, flags, types, Arbitraries.of(PiFormat.values()), flags)
                .as((data, more, interleaved, type, pi, head) -> new DifFormat(data, pi.tupleBytes() + more,
                        interleaved, type, pi, head));
    }

    @Property(tries = 500)
    void generatesWhatTheSpecificationAsksFor(@ForAll("formats") DifFormat format,
            @ForAll @IntRange(min = 1, max = 4) int blocks, @ForAll @IntRange(min = 1, max = 600) int maxEntry,
            @ForAll long referenceTag,
            @ForAll short applicationTag, @ForAll long seed) {
        DifBlocks wanted = new DifBlocks(format, blocks, new Random(seed));
        byte[] unprotected = wanted.dataBuffer();
        byte[] unprotectedMetadata = wanted.metadata.clone();
        wanted.protect(referenceTag, applicationTag);
        try (Arena arena = Arena.ofConfined()) {
            IoVector vector = DifBlocks.scatter(unprotected, maxEntry, new Random(seed), arena);
            IoVector metadata = DifBlocks.scatter(unprotectedMetadata, maxEntry, new Random(~seed), arena);
            Dif dif = new Dif(format);
            dif.tags(referenceTag, applicationTag, 0);
            generate(dif, vector, metadata, blocks);
            assertArrayEquals(wanted.dataBuffer(), DifBlocks.gather(vector));
            if (!format.interleaved()) {
                assertArrayEquals(wanted.metadata, DifBlocks.gather(metadata));
            }
        }
    }

    @Property(tries = 500)
    void acceptsWhatIsCorrect(@ForAll("formats") DifFormat format, @ForAll @IntRange(min = 1, max = 4) int blocks,
            @ForAll @IntRange(min = 1, max = 600) int maxEntry, @ForAll long referenceTag, @ForAll short applicationTag,
            @ForAll long seed) {
        DifBlocks given = new DifBlocks(format, blocks, new Random(seed));
        given.protect(referenceTag, applicationTag);
        assertEquals(DifResult.OK, verify(given, ALL_CHECKS, maxEntry, seed, referenceTag, applicationTag));
    }

    @Property(tries = 500)
    void findsTheFirstBlockWithAFlippedBit(@ForAll("formats") DifFormat format,
            @ForAll @IntRange(min = 1, max = 4) int blocks, @ForAll @IntRange(min = 1, max = 600) int maxEntry,
            @ForAll int where, @ForAll @IntRange(min = 0, max = 7) int bit, @ForAll long seed) {
        int applicationTag = 0x1234;
        long referenceTag = 77;
        DifBlocks given = new DifBlocks(format, blocks, new Random(seed));
        given.protect(referenceTag, applicationTag);
        int at = Integer.remainderUnsigned(where, given.data.length);
        given.data[at] ^= (byte) (1 << bit);
        long result = verify(given, ALL_CHECKS, maxEntry, seed, referenceTag, applicationTag);
        assertEquals(DifResult.GUARD, DifResult.kind(result));
        assertEquals(at / format.dataBytes(), DifResult.block(result));
        assertEquals(DifResult.OK, verify(given, ALL_CHECKS & ~Dif.CHECK_GUARD, maxEntry, seed, referenceTag,
                applicationTag));
    }

    @Property(tries = 300)
    void guardsTheMetadataBeforeTheProtectionInformationAndNotThatAfter(@ForAll("formats") DifFormat format,
            @ForAll int where, @ForAll long seed) {
        int spare = format.metadataBytes() - format.piFormat().tupleBytes();
        if (spare == 0) {
            return;
        }
        DifBlocks given = new DifBlocks(format, 2, new Random(seed));
        given.protect(5, 6);
        int inSpare = Integer.remainderUnsigned(where, spare);
        int at = format.metadataBytes() + (format.headOfMetadata() ? format.piFormat().tupleBytes() : 0) + inSpare;
        given.metadata[at] ^= 0x40;
        long result = verify(given, ALL_CHECKS, 64, seed, 5, 6);
        assertEquals(format.headOfMetadata() ? 0 : DifResult.GUARD, DifResult.kind(result));
    }

    @Property(tries = 300)
    void retagsAsIfTheBlocksHadBeenGeneratedElsewhere(@ForAll("formats") DifFormat format,
            @ForAll @IntRange(min = 1, max = 4) int blocks, @ForAll @IntRange(min = 1, max = 600) int maxEntry,
            @ForAll long from, @ForAll long to, @ForAll long seed) {
        DifBlocks given = new DifBlocks(format, blocks, new Random(seed));
        given.protect(from, 0x1234);
        byte[] data = given.dataBuffer();
        byte[] metadata = given.metadata.clone();
        given.protect(format.type() == DifType.TYPE_3 ? from : to, 0x1234);
        try (Arena arena = Arena.ofConfined()) {
            IoVector dataVector = DifBlocks.scatter(data, maxEntry, new Random(seed), arena);
            IoVector metadataVector = DifBlocks.scatter(metadata, maxEntry, new Random(~seed), arena);
            Dif dif = new Dif(format);
            dif.tags(to, 0, 0);
            if (format.interleaved()) {
                dif.retag(dataVector, blocks);
            } else {
                dif.retagMetadata(metadataVector, blocks);
            }
            assertArrayEquals(given.dataBuffer(), DifBlocks.gather(dataVector));
            assertArrayEquals(format.interleaved() ? metadata : given.metadata, DifBlocks.gather(metadataVector));
        }
    }

    private static void generate(Dif dif, IoVector vector, IoVector metadata, int blocks) {
        if (dif.format().interleaved()) {
            dif.generate(vector, blocks);
        } else {
            dif.generate(vector, metadata, blocks);
        }
    }

    private static long verify(DifBlocks given, int checks, int maxEntry, long seed, long referenceTag,
            int applicationTag) {
        try (Arena arena = Arena.ofConfined()) {
            IoVector vector = DifBlocks.scatter(given.dataBuffer(), maxEntry, new Random(seed), arena);
            Dif dif = new Dif(given.format);
            dif.tags(referenceTag, applicationTag, 0xFFFF);
            return given.format.interleaved()
                    ? dif.verify(checks, vector, given.blocks)
                    : dif.verify(checks, vector, DifBlocks.scatter(given.metadata, maxEntry, new Random(~seed), arena),
                            given.blocks);
        }
    }
}
