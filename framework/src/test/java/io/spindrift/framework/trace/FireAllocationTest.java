package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Counts what passing tracepoints allocates, in a JVM whose compiler (C1) has no escape analysis that would hide it.
class FireAllocationTest {
    @Test
    void noProbeAllocates() throws Exception {
        String classPath = String.join(File.pathSeparator, Path.of("target", "classes").toString(),
                Path.of("target", "test-classes").toString());
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, Firing.class.getName())
                .redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor(), output);
        assertEquals("0", output.strip());
    }

    /// The forked program: prints the bytes allocated by the measured rounds.
    static final class Firing {
        private static final int WARM_UP = 20_000;
        private static final int MEASURED = 10_000;
        private static final int CAPACITY = 1024;

        private Firing() {}

        public static void main(String[] args) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            ReactorProbes probes = new ReactorProbes();
            TraceRing ring = new TraceRing(Arena.global().allocate(TraceFileLayout.RING_BYTES, Long.BYTES),
                    Arena.global().allocate((long) TraceFileLayout.RECORD_BYTES * CAPACITY, Long.BYTES), CAPACITY);
            PairTable pairs = new PairTable();
            List<Probe> kinds = List.of(new CountingProbe(), new HistogramProbe(0), new PairStartProbe(pairs),
                    new PairEndProbe(pairs), new IntervalProbe(), new RingProbe(5, ring, probes),
                    new CompositeProbe(List.of(new CountingProbe(), new HistogramProbe(2))));
            for (int i = 0; i < kinds.size(); i++) {
                probes.set(i, kinds.get(i));
            }
            run(WARM_UP, probes, kinds.size());
            long before = threads.getCurrentThreadAllocatedBytes();
            run(MEASURED, probes, kinds.size());
            System.out.println(threads.getCurrentThreadAllocatedBytes() - before);
        }

        private static void run(int rounds, ReactorProbes probes, int kinds) {
            for (int round = 0; round < rounds; round++) {
                for (int index = 0; index <= kinds; index++) { // the last is off
                    probes.fire(index, round, round, 8, round, 2, 3);
                }
            }
        }
    }
}
