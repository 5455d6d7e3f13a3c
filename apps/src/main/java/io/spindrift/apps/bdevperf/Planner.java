package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.ClaimType;
import io.spindrift.framework.thread.CpuMask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes a [Plan] of what flags, a job file and `perform_tests` say and the bdevs that there are. Control path.
final class Planner {
    private final BdevRegistry bdevs;
    private final CpuMask cores;
    private final BdevperfOptions options;
    private final List<String> notices = new ArrayList<>();

    private Planner(BdevRegistry bdevs, CpuMask cores, BdevperfOptions options) {
        this.bdevs = bdevs;
        this.cores = cores;
        this.options = options;
    }

    /// Refuses what cannot be run whatever bdevs there are; `load` may be incomplete if `perform_tests` is to follow.
    static void check(BdevperfOptions options, Load load) throws PerfException {
        boolean needed = options.jobFile().isEmpty();
        require(!needed || load.depth().isPresent(), "-q DEPTH is needed");
        require(!needed || load.ioSize().isPresent(), "-o SIZE is needed");
        require(!needed || load.workload().isPresent(), "-w WORKLOAD is needed: one of " + Workload.names());
        require(load.seconds().isPresent(), "-t SECONDS is needed");
        if (needed) {
            Workload workload = load.workload().orElseThrow();
            require(!workload.mixed() || load.readPercent().isPresent(),
                    "-M PERCENT is needed with -w " + workload.text() + ": the share of reads, 0 to 100");
            require(workload.random() || !options.settings().randomMap(),
                    "-D makes no sense with -w " + workload.text() + ", which is not random");
        }
        require(needed || !options.threadPerCore(), "-E cannot go with -j: a job file gives each job a thread");
        require(options.averagePeriods().isEmpty() || options.reportSeconds().isPresent(),
                "-P needs -S: it averages the running report");
    }

    private static void require(boolean holds, String sentence) throws PerfException {
        if (!holds) {
            throw new PerfException(sentence);
        }
    }

    /// The jobs to run with `load`, on the `cores` of the application.
    static Plan plan(BdevRegistry bdevs, CpuMask cores, BdevperfOptions options, Load load, long seed)
            throws PerfException {
        check(options, load);
        return new Planner(bdevs, cores, options).plan(load, seed);
    }

    private Plan plan(Load load, long seed) throws PerfException {
        RunSettings settings = options.settings().withRun(load.seconds().orElseThrow(), seed);
        if (settings.abortStarved() && settings.timeoutSeconds() == 0) {
            notices.add("-X does nothing without -k: no I/O counts as starved");
        }
        List<JobSection> sections = options.jobFile().isPresent() ? fromFile(load) : fromFlags(load);
        Map<String, Plan.PlannedThread> threads = new LinkedHashMap<>();
        JobChecks checks = new JobChecks(settings, notices);
        for (JobSection section : sections) {
            CpuMask mask = coresOf(section);
            List<JobSpec> jobs = new ArrayList<>();
            for (String name : section.bdevs()) {
                Optional<Bdev> bdev = bdevs.find(name);
                if (bdev.isPresent()) {
                    checks.job(section, bdev.get(), mask).ifPresent(jobs::add);
                } else if (named()) {
                    throw missing(section, name);
                } else {
                    checks.removed(name);
                }
            }
            boolean shared = options.threadPerCore();
            String key = shared ? "core_" + mask.cores()[0] : String.valueOf(threads.size());
            threads.merge(key, new Plan.PlannedThread(shared ? key : section.threadName(), mask, jobs),
                    Planner::joined);
        }
        checks.all(threads.values());
        threads.values().removeIf(thread -> thread.jobs().isEmpty());
        return new Plan(List.copyOf(threads.values()), settings, notices, named());
    }

    private static Plan.PlannedThread joined(Plan.PlannedThread one, Plan.PlannedThread two) {
        List<JobSpec> jobs = new ArrayList<>(one.jobs());
        jobs.addAll(two.jobs());
        return new Plan.PlannedThread(one.name(), one.cores(), jobs);
    }

    private boolean named() {
        return options.jobFile().isPresent() || options.bdev().isPresent();
    }

    private PerfException missing(JobSection section, String name) {
        List<String> names = bdevs.bdevs().stream().map(Bdev::name).toList();
        return new PerfException(section.bdevText(name) + ": there is no such bdev; "
                + (names.isEmpty() ? "there is none at all" : "there are " + String.join(", ", names)));
    }

    private CpuMask coresOf(JobSection section) throws PerfException {
        CpuMask wanted = section.cores().orElse(cores);
        java.util.BitSet usable = wanted.bits();
        usable.and(cores.bits());
        if (usable.isEmpty()) {
            throw new PerfException("cpumask=" + wanted + " of " + section.name() + " has no core of this program's, "
                    + cores + " (-m)");
        }
        if (!usable.equals(wanted.bits())) {
            notices.add("cpumask=" + wanted + " of " + section.name() + ": of these only " + new CpuMask(usable)
                    + " are this program's (-m)");
        }
        return new CpuMask(usable);
    }

    // ---- what to run ------------------------------------------------------------------------------------------

    private List<JobSection> fromFile(Load load) throws PerfException {
        if (options.everyCore()) {
            notices.add("-C does nothing with -j: a job file says where its jobs run");
        }
        JobFile.Contents contents = JobFile.read(options.jobFile().orElseThrow(), load, options.bdev());
        notices.addAll(contents.notices());
        return contents.sections();
    }

    /// One section for each bdev, in turn on the cores; with `-C` one for each bdev and core.
    private List<JobSection> fromFlags(Load load) throws PerfException {
        Workload workload = load.workload().orElseThrow();
        if (load.readPercent().isPresent() && !workload.mixed()) {
            notices.add("-M does nothing with -w " + workload.text() + ": only rw and randrw mix");
        }
        List<JobSection> sections = new ArrayList<>();
        int[] numbers = cores.cores();
        for (String name : bdevNames()) {
            int shares = options.everyCore() ? numbers.length : 1;
            long share = bdevs.find(name).map(Bdev::numBlocks).orElse(0L) / shares;
            for (int i = 0; i < shares; i++) {
                int core = numbers[sections.size() % numbers.length];
                sections.add(new JobSection("", name, List.of(name), Optional.of(CpuMask.of(core)), workload,
                        load.ioSize().orElseThrow(), load.depth().orElseThrow(), load.readPercent().orElse(0),
                        i * share, shares == 1 ? 0 : share));
            }
        }
        return sections;
    }

    private List<String> bdevNames() throws PerfException {
        if (options.bdev().isPresent()) {
            return List.of(options.bdev().get());
        }
        List<String> names = bdevs.bdevs().stream().filter(bdev -> bdev.claimType() == ClaimType.NONE)
                .map(Bdev::name).toList();
        if (names.isEmpty()) {
            throw new PerfException("there is no bdev to run on: the configuration (-c) makes none");
        }
        return names;
    }
}
