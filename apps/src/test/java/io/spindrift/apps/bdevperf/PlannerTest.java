package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.ClaimType;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.thread.CpuMask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// From flags and bdevs to jobs, or to a sentence.
class PlannerTest {
    private final PerfFixture fixture = new PerfFixture();
    private CpuMask cores = CpuMask.of(0);

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        fixture.close();
    }

    private static BdevperfOptions options(String flags) {
        BdevperfOptions options = new BdevperfOptions();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(errors, true, StandardCharsets.UTF_8);
        new CommandLine("bdevperf", "", BdevperfFlags.of(ApplicationOptions.builder("bdevperf"), options))
                .parse(flags.split(" "), stream, stream).ifPresent(status -> {
                    throw new IllegalArgumentException(errors.toString(StandardCharsets.UTF_8));
                });
        return options;
    }

    private Plan plan(String flags) throws PerfException {
        BdevperfOptions options = options(flags);
        return Planner.plan(fixture.registry, cores, options, options.load(), 1);
    }

    private List<JobSpec> jobs(String flags) throws PerfException {
        return plan(flags).threads().stream().flatMap(thread -> thread.jobs().stream()).toList();
    }

    private String refusal(String flags) {
        return assertThrows(PerfException.class, () -> plan(flags)).getMessage();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "-q 0 | -q 0: outside 1..65535",
            "-q x | -q x: a whole number from 1 to 65535 is needed",
            "-o 0 | -o 0: outside 1..1073741824 bytes",
            "-o 4z | -o 4z: a size is needed: a number, then nothing or k, M, G or T",
            "-t 0 | -t 0: outside 1..1000000000",
            "-M 101 | -M 101: outside 0..100",
            "-F x | -F x: a number from 0.0 to 100.0 is needed",
            "-w raed | -w raed: 'raed' is no workload; there are read, write, randread, randwrite, rw, randrw, verify,"
                    + " reset, unmap, flush, write_zeroes"})
    void refusesABadFlagByNameValueAndLimit(String flags, String sentence) {
        String message = assertThrows(IllegalArgumentException.class, () -> options(flags)).getMessage();
        assertEquals("bdevperf: " + sentence, message.strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "-o 512 -w read -t 1 | -q DEPTH is needed",
            "-q 1 -w read -t 1 | -o SIZE is needed",
            "-q 1 -o 512 -w read | -t SECONDS is needed",
            "-q 1 -o 512 -w rw -t 1 | -M PERCENT is needed with -w rw: the share of reads, 0 to 100",
            "-q 1 -o 512 -w read -t 1 -D | -D makes no sense with -w read, which is not random",
            "-q 1 -o 512 -w read -t 1 -P 3 | -P needs -S: it averages the running report",
            "-q 1 -o 513 -w read -t 1 | -o 513: not a multiple of disk's block size, 512 bytes",
            "-q 1 -o 64k -w read -t 1 | -o 65536: larger than the 32768 bytes of disk to run on",
            "-q 1 -o 512 -w read -t 1 -T dsik | -T dsik: there is no such bdev; there are disk"})
    void refusesWhatCannotRun(String flags, String sentence) {
        fixture.disk("disk", 64);
        assertEquals(sentence, refusal(flags));
    }

    @Test
    void saysThatThereIsNoBdev() {
        assertEquals("there is no bdev to run on: the configuration (-c) makes none",
                refusal("-q 1 -o 512 -w read -t 1"));
    }

    @Test
    void dealsBdevsToCoresInTurn() throws PerfException {
        cores = CpuMask.of(1, 3);
        List.of("a", "b", "c").forEach(name -> fixture.disk(name, 64));
        assertEquals(List.of(CpuMask.of(1), CpuMask.of(3), CpuMask.of(1)),
                jobs("-q 1 -o 512 -w read -t 1").stream().map(JobSpec::cores).toList());
        assertEquals(3, plan("-q 1 -o 512 -w read -t 1").threads().size());
    }

    @Test
    void sharesAThreadPerCoreIfToldTo() throws PerfException {
        cores = CpuMask.of(1, 3);
        List.of("a", "b", "c").forEach(name -> fixture.disk(name, 64));
        Plan plan = plan("-q 1 -o 512 -w read -t 1 -E");
        assertEquals(List.of(2, 1), plan.threads().stream().map(thread -> thread.jobs().size()).toList());
    }

    @Test
    void givesEachCoreAPartOfEachBdevIfToldTo() throws PerfException {
        cores = CpuMask.of(0, 1, 2);
        fixture.disk("disk", 64);
        List<JobSpec> jobs = jobs("-q 1 -o 512 -w verify -t 1 -C");
        assertEquals(List.of(0L, 21L, 42L), jobs.stream().map(JobSpec::firstBlock).toList());
        assertTrue(jobs.stream().allMatch(job -> job.numBlocks() == 21));
    }

    @Test
    void leavesClaimedBdevsAloneUnlessNamed() throws PerfException {
        FaultyDisk module = fixture.disk("claimed", 64);
        fixture.disk("free", 64);
        BdevDescriptor descriptor = fixture.registry.open("claimed", false, fixture.thread, BdevEvents.IGNORE);
        fixture.registry.claim(descriptor, ClaimType.EXCLUSIVE_WRITE, module);
        assertEquals(List.of("free"), jobs("-q 1 -o 512 -w read -t 1").stream().map(JobSpec::name).toList());
        assertEquals(List.of("claimed"),
                jobs("-q 1 -o 512 -w read -t 1 -T claimed").stream().map(JobSpec::name).toList());
    }

    @Test
    void leavesOutWhatCannotDoTheWorkloadButNotAll() throws PerfException {
        fixture.disk("plain", BdevGeometry.of(512), 64, BdevIoType.READ, BdevIoType.WRITE);
        assertEquals("-w unmap: plain (Faulty disk) cannot do unmap", refusal("-q 1 -o 512 -w unmap -t 1"));
        fixture.disk("able", 64);
        Plan plan = plan("-q 1 -o 512 -w unmap -t 1");
        assertEquals(List.of("able"), plan.threads().stream().map(Plan.PlannedThread::name).toList());
        assertEquals(List.of("-w unmap: plain (Faulty disk) cannot do unmap; it is left out"), plan.notices());
        assertEquals("-w read: plain (Faulty disk) cannot do zero-copy I/O (-Z)",
                refusal("-q 1 -o 512 -w read -t 1 -Z -T plain"));
    }

    @Test
    void limitsTheDepthOfAVerifyingJobToItsPlaces() throws PerfException {
        fixture.disk("disk", 64);
        assertEquals(8, jobs("-q 16 -o 4k -w verify -t 1").getFirst().depth());
        assertEquals(
                List.of("depth 16: limited to the 8 places that disk has for I/O of 4096 bytes, since it verifies"),
                plan("-q 16 -o 4k -w verify -t 1").notices());
    }

    @Test
    void refusesToVerifyBlocksThatCannotBeToldApart() {
        fixture.disk("odd", BdevGeometry.of(515), 64, BdevIoType.READ, BdevIoType.WRITE);
        assertEquals("-w verify: odd's blocks of 515 bytes cannot be told apart by their data: at least 16 and a"
                + " multiple of 8 are needed", refusal("-q 1 -o 515 -w verify -t 1"));
    }

    @Test
    void refusesToHideMetadataThatIsInterleaved() {
        fixture.disk("disk", BdevGeometry.of(520).withMetadata(8, true), 64, BdevIoType.READ, BdevIoType.WRITE);
        assertEquals("-N: the metadata of disk lies between its blocks of data and cannot be hidden",
                refusal("-q 1 -o 512 -w read -t 1 -N"));
    }

    @Test
    void countsDataNotMetadataInTheSizeOfAnIo() throws PerfException {
        fixture.disk("disk", BdevGeometry.of(520).withMetadata(8, true), 64, BdevIoType.READ, BdevIoType.WRITE);
        JobSpec job = jobs("-q 1 -o 4096 -w read -t 1").getFirst();
        assertEquals(8, job.blocksPerIo());
        assertEquals(8 * 520, job.bufferBytes());
    }

    @Test
    void tellsWhatHasNoEffect() throws PerfException {
        fixture.disk("disk", 64);
        assertEquals(
                List.of("-X does nothing without -k: no I/O counts as starved",
                        "-M does nothing with -w read: only rw and randrw mix"),
                plan("-q 1 -o 512 -w read -t 1 -X -M 5").notices());
    }

    // ---- job files --------------------------------------------------------------------------------------------

    private String jobFile(String text) throws IOException {
        return "-t 1 -j " + Files.writeString(folder.resolve("jobs.ini"), text);
    }

    @Test
    void runsTheJobsOfAFileOnThreadsOfTheirOwn() throws Exception {
        cores = CpuMask.of(0, 1);
        fixture.disk("a", 64);
        fixture.disk("b", 64);
        Plan plan = plan(jobFile("[global]\nbs=512\niodepth=2\nrw=read\n[one]\nfilename=a:b\n[two]\nfilename=b\n"
                + "cpumask=0x6\noffset=60\n"));
        assertEquals(List.of("one", "two"), plan.threads().stream().map(Plan.PlannedThread::name).toList());
        assertEquals(List.of(2, 1), plan.threads().stream().map(thread -> thread.jobs().size()).toList());
        assertEquals(CpuMask.of(0, 1), plan.threads().getFirst().cores());
        assertEquals(CpuMask.of(1), plan.threads().getLast().cores());
        assertEquals(4, plan.threads().getLast().jobs().getFirst().numBlocks());
        assertTrue(plan.notices().getFirst().contains("of these only 0x2 are this program's"));
    }

    @Test
    void refusesAFilesRangeOutsideItsBdev() throws Exception {
        fixture.disk("a", 64);
        String flags = jobFile("[one]\nfilename=a\nbs=512\niodepth=2\nrw=read\noffset=60\nlength=5\n");
        assertTrue(refusal(flags).startsWith("offset=60 length=5 of job 'one' of "), refusal(flags));
        assertTrue(refusal(flags).endsWith("outside a, which has 64 blocks"));
    }

    @Test
    void refusesAMaskWithoutACoreOfTheProgram() throws Exception {
        fixture.disk("a", 64);
        String flags = jobFile("[one]\nfilename=a\nbs=512\niodepth=2\nrw=read\ncpumask=0x6\n");
        assertTrue(refusal(flags).endsWith("has no core of this program's, 0x1 (-m)"), refusal(flags));
    }

    @Test
    void refusesToVerifyWhatAnotherJobWrites() throws Exception {
        fixture.disk("a", 64);
        String both = "[one]\nfilename=a\nbs=512\niodepth=2\nrw=verify\n%s[two]\nfilename=a\nbs=512\niodepth=2\nrw=write\n%s";
        assertEquals("two jobs cannot share blocks of a if one verifies (verify) and the other changes them (write):"
                + " give them ranges of their own", refusal(jobFile(both.formatted("", ""))));
        assertEquals(2, plan(jobFile(both.formatted("length=32\n", "offset=32\n"))).threads().size());
    }

    @Test
    void refusesAThreadPerCoreWithAJobFile() throws Exception {
        assertEquals("-E cannot go with -j: a job file gives each job a thread",
                refusal("-E " + jobFile("[one]\nfilename=a\nbs=512\niodepth=2\nrw=read\n")));
    }

    @Test
    void saysThatAJobFileCannotBeRead() {
        assertTrue(refusal("-t 1 -j " + folder.resolve("none")).startsWith("-j " + folder.resolve("none")
                + ": it cannot be read: NoSuchFileException"));
    }
}
