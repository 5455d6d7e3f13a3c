package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.tcp.PduHandler;
import io.spindrift.nvme.spec.tcp.PduReader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.test.nvmf.FuzzHost.Plan;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/// Whatever arrives at a reader of PDUs, nothing throws, and it says the same in whatever pieces it comes.
class PduReaderFuzzTest {
    @Provide
    Arbitrary<Plan> plans() {
        return FuzzPlans.plans();
    }

    /// Writes down what it is told.
    private static final class Told implements PduHandler {
        private final StringBuilder events = new StringBuilder();
        private long data;

        @Override
        public boolean header(int type, MemorySegment pdu, long at, long dataLength) {
            events.append(' ').append(PduType.name(type)).append(dataLength);
            data = 0;
            pdu.asSlice(at, PduType.hlen(type));
            return true;
        }

        @Override
        public void data(MemorySegment buffer, long offset, long length, long position) {
            assertTrue(length > 0 && position == data);
            buffer.asSlice(offset, length);
            data += length;
        }

        @Override
        public void end(int type, boolean intact) {
            events.append(data).append(intact);
        }

        @Override
        public void violated(int fes, int fei, MemorySegment pdu, long at, int length) {
            events.append(" violated ").append(fes).append(' ').append(fei);
            pdu.asSlice(at, length);
        }
    }

    private static String read(Plan plan, byte[] bytes, Random random) {
        try (Arena arena = Arena.ofConfined()) {
            Told told = new Told();
            PduReader reader = new PduReader(told, true, arena);
            reader.agree(plan.headerDigest(), plan.dataDigest(), PduRules.alignment(0));
            reader.limits(8192, 131_072);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            int at = 0;
            while (at < bytes.length) {
                int piece = random == null ? bytes.length : Math.min(bytes.length - at, 1 + random.nextInt(700));
                long used = reader.read(memory, at, piece);
                assertTrue(used >= 0 && used <= piece);
                if (used < piece) {
                    assertTrue(told.events.indexOf("violated") > 0, "it stopped for no reason");
                    break;
                }
                at += piece;
            }
            return told.events.toString();
        }
    }

    private static void readsAlike(Plan plan) {
        FuzzStream stream = new FuzzStream(plan.headerDigest(), plan.dataDigest(), LiveTarget.NQN);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        plan.steps().forEach(step -> bytes.writeBytes(stream.bytes(step)));
        byte[] whole = bytes.toByteArray();
        assertEquals(read(plan, whole, null), read(plan, whole, new Random(whole.length)), "in one piece, and in many");
    }

    @Property(tries = 2000)
    void theReaderSurvives(@ForAll("plans") Plan plan) {
        readsAlike(plan);
    }

    /// About 10 PDUs a try.
    @Property(tries = 100_000)
    @Tag("long")
    void theReaderSurvivesAMillion(@ForAll("plans") Plan plan) {
        readsAlike(plan);
    }
}
