package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JobFilePropertyTest {
    @Provide
    Arbitrary<JobSection> anySection() {
        Arbitrary<String> names = Arbitraries.strings().alpha().numeric().withChars("_-. ").ofMinLength(1)
                .ofMaxLength(20).map(String::strip).filter(name -> !name.isEmpty() && !name.equals("global"));
        Arbitrary<List<String>> bdevs = Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(9).list()
                .ofMinSize(1).ofMaxSize(4);
        Arbitrary<Optional<CpuMask>> masks = Arbitraries.integers().between(0, 70).set().ofMaxSize(4).map(
                cores -> cores.isEmpty()
                        ? Optional.empty()
                        : Optional.of(CpuMask.of(cores.stream().mapToInt(core -> core).toArray())));
        return Combinators.combine(names, bdevs, masks, Arbitraries.of(Workload.class),
                Arbitraries.integers().between(1, Load.MAX_IO_SIZE), Arbitraries.integers().between(1, Load.MAX_DEPTH),
                Arbitraries.integers().between(0, 100), Arbitraries.longs().greaterOrEqual(0))
                .as((name, files, mask, workload, size, depth, percent, offset) -> new JobSection(
                        "job '" + name + "' of FILE", name, files, mask, workload, size, depth, percent, offset,
                        offset / 2));
    }

    private static List<String> lines(JobSection job) {
        List<String> lines = new ArrayList<>(List.of("filename=" + String.join(":", job.bdevs()),
                "rw=" + job.workload().text(), "bs=" + job.ioSize(), "iodepth=" + job.depth(),
                "rwmixread=" + job.readPercent(), "offset=" + job.offset(), "length=" + job.length()));
        job.cores().ifPresent(mask -> lines.add("cpumask=" + mask));
        return lines;
    }

    @Property(tries = 300)
    void readsWhatWasWrittenInAnyOrderOfKeys(@ForAll("anySections") List<JobSection> jobs, @ForAll long seed)
            throws PerfException {
        StringBuilder text = new StringBuilder();
        for (JobSection job : jobs) {
            List<String> lines = lines(job);
            java.util.Collections.shuffle(lines, new java.util.Random(seed));
            text.append('[').append(job.threadName()).append("]\n").append(String.join("\n", lines)).append('\n');
        }
        assertEquals(jobs, JobFile.parse("FILE", text.toString(), Load.NONE, Optional.empty()).sections());
    }

    @Provide
    Arbitrary<List<JobSection>> anySections() {
        return anySection().list().ofMinSize(1).ofMaxSize(5);
    }

    @Property(tries = 1000)
    void readsOrRefusesAnythingButNeverBreaks(@ForAll("anyText") String text) {
        try {
            JobFile.parse("FILE", text, Load.NONE, Optional.empty());
        } catch (PerfException refused) {
            assertTrue(refused.getMessage().startsWith("FILE:"), refused::getMessage);
        }
    }

    @Provide
    Arbitrary<String> anyText() {
        return Arbitraries.of("[", "]", "a", "global", "=", "\n", "filename", "bs", "rw", "iodepth", "offset", "length",
                "cpumask", "rwmixread", "4096", "read", ":", ";", "#", " ", "-1", "\uFEFF", "[a]\n", "\t", "0x3", "é")
                .list().ofMaxSize(40).map(parts -> String.join("", parts));
    }
}
