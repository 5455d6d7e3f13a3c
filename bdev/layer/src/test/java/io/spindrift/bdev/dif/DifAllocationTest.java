package io.spindrift.bdev.dif;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.spindrift.framework.memory.IoVector;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Counts what generating and verifying allocate, in a JVM whose compiler (C1) has no escape analysis that would hide
/// it.
class DifAllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 10_000;

    @ParameterizedTest
    @EnumSource
    void allocatesNothing(PiFormat pi) throws Exception {
        String classPath = String.join(File.pathSeparator, Path.of("target", "classes").toString(),
                Path.of("target", "test-classes").toString(), location(IoVector.class));
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, Probe.class.getName(), pi.name())
                .redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor(), output);
        assertEquals("0", output.strip());
    }

    private static String location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    /// The forked program: prints the bytes allocated by the measured rounds.
    static final class Probe {
        private Probe() {
        }

        public static void main(String[] args) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            PiFormat pi = PiFormat.valueOf(args[0]);
            Dif interleaved = new Dif(new DifFormat(512, 16, true, DifType.TYPE_1, pi, false));
            Dif separate = new Dif(new DifFormat(512, 16, false, DifType.TYPE_1, pi, true));
            IoVector vector = new IoVector(8);
            for (int length : new int[] {100, 415, 17, 508, 16}) {
                vector.add(Arena.global().allocate(length), 0, length);
            }
            IoVector metadata = new IoVector(4);
            for (int length : new int[] {3, 20, 9}) {
                metadata.add(Arena.global().allocate(length), 0, length);
            }
            run(WARM_UP, interleaved, separate, vector, metadata);
            long before = threads.getCurrentThreadAllocatedBytes();
            run(MEASURED, interleaved, separate, vector, metadata);
            System.out.println(threads.getCurrentThreadAllocatedBytes() - before);
        }

        private static void run(int rounds, Dif interleaved, Dif separate, IoVector vector, IoVector metadata) {
            int checks = Dif.CHECK_GUARD | Dif.CHECK_APPLICATION_TAG | Dif.CHECK_REFERENCE_TAG;
            for (int round = 0; round < rounds; round++) {
                interleaved.tags(round, 1, 0xFFFF);
                interleaved.generate(vector, 2);
                interleaved.tags(round + (round & 1), 1, 0xFFFF);
                long expected = (round & 1) == 0 ? DifResult.OK : DifResult.of(DifResult.REFERENCE_TAG, 0);
                require(interleaved.verify(checks, vector, 2) == expected);
                separate.tags(round, 1, 0xFFFF);
                separate.generate(vector, metadata, 2);
                interleaved.tags(round, 1, 0xFFFF);
                interleaved.retag(vector, 2);
                separate.tags(round, 1, 0xFFFF);
                separate.retagMetadata(metadata, 2);
                separate.tags(round, 1, 0xFFFF);
                require(separate.verify(checks, vector, metadata, 2) == DifResult.OK);
            }
        }

        private static void require(boolean condition) {
            if (!condition) {
                throw new AssertionError("wrong result");
            }
        }
    }
}
