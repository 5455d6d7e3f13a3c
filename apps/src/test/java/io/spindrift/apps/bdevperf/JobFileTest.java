package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobFileTest {
    private static final String WHOLE = "[a]\nfilename=n0\nrw=read\nbs=4096\niodepth=1\n";

    private static JobFile.Contents contents(String text) throws PerfException {
        return JobFile.parse("FILE", text, Load.NONE, Optional.empty());
    }

    private static List<JobSection> sections(String text) throws PerfException {
        return contents(text).sections();
    }

    private static String refusal(String text) {
        return assertThrows(PerfException.class, () -> contents(text)).getMessage();
    }

    @Test
    void readsTheManualsExample() throws Exception {
        String manual = Files.readString(Path.of("bdevperf.md"));
        String example = manual.substring(manual.indexOf("[global]\n"));
        List<JobSection> jobs = sections(example.substring(0, example.indexOf("```")));
        assertEquals(List.of(Workload.RANDRW, Workload.WRITE), jobs.stream().map(JobSection::workload).toList());
        assertEquals(1024, jobs.get(1).length());
    }

    @Test
    void readsAJob() throws PerfException {
        JobSection job = sections("""
                [job one]
                filename=null0:malloc0
                cpumask=0x3
                bs=4k
                iodepth=16
                rwmixread=70
                offset=100
                length=1000
                rw=randrw
                """).getFirst();
        assertEquals(new JobSection("job 'job one' of FILE", "job one", List.of("null0", "malloc0"),
                Optional.of(CpuMask.of(0, 1)), Workload.RANDRW, 4096, 16, 70, 100, 1000), job);
    }

    @Test
    void takesWhatAJobLacksFromTheGlobalAboveIt() throws PerfException {
        List<JobSection> jobs = sections("""
                [global]
                filename=n0
                rw=read
                bs=4096
                iodepth=1
                [first]
                bs=512
                [global]
                filename=n1
                rw=write
                bs=8192
                iodepth=2
                [second]
                [third]
                iodepth=3
                """);
        assertEquals(List.of(512, 8192, 8192), jobs.stream().map(JobSection::ioSize).toList());
        assertEquals(List.of(1, 2, 3), jobs.stream().map(JobSection::depth).toList());
        assertEquals(List.of("n0"), jobs.getFirst().bdevs());
        assertEquals(Workload.WRITE, jobs.getLast().workload());
    }

    @Test
    void aLaterGlobalStartsAnew() {
        assertTrue(refusal("[global]\nfilename=n0\nbs=512\niodepth=1\nrw=read\n[global]\nfilename=n1\n[job]\n")
                .startsWith("FILE:8: job 'job' has no rw"));
    }

    @Test
    void flagsOverrideEveryGlobalButNoJob() throws PerfException {
        Load flags = Load.NONE.withDepth(64).withIoSize(1024).withWorkload(Workload.FLUSH).withReadPercent(5);
        List<JobSection> jobs = JobFile.parse("FILE", """
                [early]
                [global]
                filename=n0
                rw=read
                bs=4096
                iodepth=1
                rwmixread=99
                [a]
                [b]
                filename=n7
                iodepth=2
                bs=512
                rw=randrw
                rwmixread=1
                """, flags, Optional.of("flagged")).sections();
        for (JobSection job : jobs.subList(0, 2)) {
            assertEquals(List.of("flagged"), job.bdevs());
            assertEquals(64, job.depth());
            assertEquals(1024, job.ioSize());
            assertEquals(Workload.FLUSH, job.workload());
            assertEquals(5, job.readPercent());
        }
        assertEquals(new JobSection("job 'b' of FILE", "b", List.of("n7"), Optional.empty(), Workload.RANDRW, 512, 2, 1,
                0, 0), jobs.get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uFEFF" + WHOLE, "  [ a ]  \n filename = n0 \n\trw=read\nbs=4096\niodepth=1",
            "; x\n# y\n\n" + WHOLE, "[a]\r\nfilename=n0\r\nrw=read\r\nbs=4096\r\niodepth=1\r\n",
            "[a]\rfilename=n0\rrw=read\rbs=4096\riodepth=1", "[a]\nfilename=: n0 ::\nrw=read\nbs=4KiB\niodepth=0x1"})
    void readsTheSameJobInOtherDress(String text) throws PerfException {
        assertEquals(sections(WHOLE), sections(text));
    }

    @Test
    void keepsEqualNamesApart() throws PerfException {
        assertEquals(2, sections(WHOLE + WHOLE).size());
    }

    @Test
    void notesKeysThatAreNotItsOwn() throws PerfException {
        JobFile.Contents contents = contents(WHOLE + "ioengine=spdk\n");
        assertEquals(List.of("FILE:6: the key ioengine is none of bdevperf's and is ignored"), contents.notices());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
            "bs=4096|FILE:1: 'bs=4096' stands before the first [section]",
            "[a|FILE:1: '[a' has no closing ]",
            "[ ]|FILE:1: the section has no name",
            "[a]¶filename|FILE:2: 'filename' is neither [SECTION] nor KEY=VALUE",
            "[a]¶=x|FILE:2: '=x' is neither [SECTION] nor KEY=VALUE",
            "[a]¶bs=1¶bs=2|FILE:3: bs was given in line 2",
            "|FILE: it has no job; a job is a section [NAME] other than [global]",
            "[global]¶bs=1|FILE: it has no job; a job is a section [NAME] other than [global]",
            "[a]|FILE:1: job 'a' has no filename, nor has the [global] above it",
            "[a]¶filename=:|FILE:2: filename=:: names of bdevs with ':' between them are needed",
            "[a]¶filename=n¶rw=raed|FILE:3: rw=raed: 'raed' is no workload; there are read, write, randread,"
                    + " randwrite, rw, randrw, verify, reset, unmap, flush, write_zeroes",
            "[a]¶filename=n¶rw=read¶bs=0|FILE:4: bs=0: outside 1..1073741824 bytes",
            "[a]¶filename=n¶rw=read¶bs=4q|FILE:4: bs=4q: a size is needed: a number, then nothing or k, M, G or T",
            "[a]¶filename=n¶rw=read¶bs=1¶iodepth=0|FILE:5: iodepth=0: outside 1..65535",
            "[a]¶filename=n¶rw=read¶bs=1¶iodepth=1¶rwmixread=101|FILE:6: rwmixread=101: outside 0..100",
            "[a]¶filename=n¶rw=read¶bs=1¶iodepth=1¶offset=-1|FILE:6: offset=-1: outside 0..9223372036854775807"})
    void refusesByLineAndValue(String text, String message) {
        assertEquals(message, refusal(text == null ? "" : text.replace('¶', '\n')));
    }

    @Test
    void refusesABadCpumask() {
        assertTrue(refusal(WHOLE + "cpumask=0xg\n").startsWith("FILE:6: cpumask=0xg: cpumask '0xg'"));
    }

    @Test
    void blamesTheLineOfTheGlobalForItsValue() {
        assertTrue(refusal("[global]\nbs=x\n[a]\nfilename=n\nrw=read\n").startsWith("FILE:2: bs=x"));
    }
}
