package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.framework.thread.CpuMask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Holds a [JobSection] against the bdev that it names: the limits that only the device sets. Control path.
final class JobChecks {
    private final RunSettings settings;
    private final List<String> notices;
    private final List<String> skipped = new ArrayList<>();

    /// Checks for one run; what is only worth a notice is added to `notices`.
    JobChecks(RunSettings settings, List<String> notices) {
        this.settings = settings;
        this.notices = notices;
    }

    /// The job of `section` on `bdev`; nothing if the device cannot do such I/O.
    Optional<JobSpec> job(JobSection section, Bdev bdev, CpuMask cores) throws PerfException {
        String missing = missing(section.workload(), bdev);
        if (!missing.isEmpty()) {
            skipped.add(section.workloadText() + ": " + bdev.name() + " (" + bdev.productName() + ") cannot do "
                    + missing);
            return Optional.empty();
        }
        checkSize(section, bdev);
        long available = range(section, bdev);
        JobSpec spec = new JobSpec(bdev, cores, section.workload(), section.ioSize(), section.depth(),
                section.readPercent(), section.offset(), available);
        if (spec.units() == 0) {
            throw new PerfException(section.ioSizeText() + ": larger than the "
                    + available * bdev.geometry().dataBlockSize() + " bytes of " + bdev.name() + " to run on");
        }
        checkPattern(section, spec);
        return Optional.of(limitDepth(section, spec));
    }

    /// Notes that `bdev`, which was there a moment ago, is not any more.
    void removed(String bdev) {
        skipped.add(bdev + " has been removed");
    }

    private String missing(Workload workload, Bdev bdev) {
        for (int type : workload.operation().types()) {
            if (!bdev.supports(type)) {
                return BdevIoType.name(type);
            }
        }
        boolean borrows = settings.zeroCopy() && workload.operation().moves();
        return borrows && !bdev.supports(BdevIoType.ZCOPY_START) ? "zero-copy I/O (-Z)" : "";
    }

    private static void checkSize(JobSection section, Bdev bdev) throws PerfException {
        int block = bdev.geometry().dataBlockSize();
        if (section.ioSize() % block != 0) {
            throw new PerfException(section.ioSizeText() + ": not a multiple of " + bdev.name() + "'s block size, "
                    + block + " bytes");
        }
    }

    private static long range(JobSection section, Bdev bdev) throws PerfException {
        long blocks = bdev.numBlocks();
        if (section.offset() >= blocks || section.length() > blocks - section.offset()) {
            throw new PerfException(section.rangeText() + ": outside " + bdev.name() + ", which has " + blocks
                    + " blocks");
        }
        return section.length() == 0 ? blocks - section.offset() : section.length();
    }

    private void checkPattern(JobSection section, JobSpec spec) throws PerfException {
        boolean needed = section.workload().verifies() || settings.uniqueData() && section.workload().changes();
        if (needed && !spec.writesPattern()) {
            throw new PerfException(section.workloadText() + ": " + spec.name() + "'s blocks of "
                    + spec.bdev().blockSize() + " bytes cannot be told apart by their data: at least 16 and a multiple"
                    + " of 8 are needed");
        }
        if (settings.hideMetadata() && spec.bdev().geometry().metadataInterleaved()
                && spec.bdev().geometry().metadataSize() > 0) {
            throw new PerfException("-N: the metadata of " + spec.name()
                    + " lies between its blocks of data and cannot be hidden");
        }
    }

    /// A verifying job has at most as many I/Os on their way as there are places.
    private JobSpec limitDepth(JobSection section, JobSpec spec) {
        if (!section.workload().verifies() || spec.depth() <= spec.units()) {
            return spec;
        }
        notices.add("depth " + spec.depth() + ": limited to the " + spec.units() + " places that "
                + spec.name() + " has for I/O of " + spec.ioSize() + " bytes, since it verifies");
        return spec.withDepth((int) spec.units());
    }

    /// Looks at all jobs together.
    void all(Collection<Plan.PlannedThread> threads) throws PerfException {
        List<JobSpec> jobs = threads.stream().flatMap(thread -> thread.jobs().stream()).toList();
        if (jobs.isEmpty()) {
            throw new PerfException(String.join("; ", skipped));
        }
        skipped.forEach(reason -> notices.add(reason + "; it is left out"));
        for (JobSpec verifier : jobs) {
            for (JobSpec other : jobs) {
                if (verifier != other && verifier.workload().verifies() && other.workload().changes()
                        && verifier.overlaps(other)) {
                    throw new PerfException("two jobs cannot share blocks of " + verifier.name() + " if one verifies ("
                            + verifier.workload().text() + ") and the other changes them (" + other.workload().text()
                            + "): give them ranges of their own");
                }
            }
        }
    }
}
