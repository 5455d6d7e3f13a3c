package io.spindrift.framework.trace;

import io.spindrift.framework.Errno;
import io.spindrift.framework.rpc.RpcException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The counting and measuring probes of one application, attached to tracepoints at run time.
///
/// Control path, as [Trace], whose lock it shares.
public final class TraceProbes {
    /// A histogram takes 30 KiB for each reactor, a time between two tracepoints 290 KiB.
    public static final int MAX_PROBES = 64;

    private final TraceGroups groups;
    private final ProbeBoard board;
    private final Object lock;
    private final Map<String, Installed> installed = new LinkedHashMap<>();
    private long nextNumber;

    /// Values of one probe on one reactor, read by its owner.
    private record CoreReading(long count, Optional<LogLinearHistogram> histogram, long unmatched) {}

    /// Reads on the owner.
    @FunctionalInterface
    private interface CoreReader {
        CoreReading read();
    }

    private record Installed(AttachedProbe probe, Map<Integer, List<Probe>> probes, List<CoreReader> readers) {}

    TraceProbes(TraceGroups groups, ProbeBoard board, Object lock) {
        this.groups = groups;
        this.board = board;
        this.lock = lock;
    }

    /// What a histogram at `tracepoint` collects: `argument` by name if given, else the time since `start` if given,
    /// else the tracepoint's first duration, else the time since its last pass. `IllegalArgumentException` names what
    /// does not exist.
    public ProbeMeasure measure(Tracepoint tracepoint, Optional<String> argument, Optional<String> start) {
        if (argument.isPresent() && start.isPresent()) {
            throw new IllegalArgumentException("argument=" + argument.get() + " and since=" + start.get()
                    + " exclude each other");
        }
        if (start.isPresent()) {
            Tracepoint from = tracepoint(start.get());
            if (from.equals(tracepoint) || !from.object().equals(tracepoint.object())
                    || from.object().equals(TraceObject.NONE)) {
                throw new IllegalArgumentException("since=" + from.name() + " is about object " + from.object().name()
                        + ": it must be another tracepoint about the object of " + tracepoint.name() + ", "
                        + tracepoint.object().name());
            }
            return new ProbeMeasure.Since(from);
        }
        if (argument.isPresent()) {
            return argument(tracepoint, argument.get());
        }
        return tracepoint.durationArgument()
                .<ProbeMeasure>map(i -> new ProbeMeasure.Argument(i, tracepoint.arguments().get(i)))
                .orElse(new ProbeMeasure.Interval());
    }

    private static ProbeMeasure argument(Tracepoint tracepoint, String name) {
        List<TraceArgument> arguments = tracepoint.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).name().equals(name)) {
                return new ProbeMeasure.Argument(i, arguments.get(i));
            }
        }
        throw new IllegalArgumentException("argument=" + name + ": " + tracepoint.name() + " has "
                + arguments.stream().map(TraceArgument::name).collect(Collectors.joining(", ")));
    }

    /// The tracepoint of this name; `IllegalArgumentException` lists those that there are.
    public Tracepoint tracepoint(String name) {
        return groups.tracepoint(name).orElseThrow(() -> new IllegalArgumentException("tracepoint=" + name
                + " does not exist; there are " + groups.all().stream().flatMap(group -> group.tracepoints().stream())
                        .map(Tracepoint::name).collect(Collectors.joining(", "))));
    }

    /// Counts passes of `tracepoint`. Without a `name` one is made: `probe0`. Returns when every reactor counts.
    /// [RpcException] if the name is taken (EEXIST) or there are [#MAX_PROBES] already (ENOSPC).
    public AttachedProbe attachCount(Tracepoint tracepoint, Optional<String> name) {
        synchronized (lock) {
            AttachedProbe probe = new AttachedProbe(newName(name), tracepoint, ProbeKind.COUNT, Optional.empty());
            List<CountingProbe> counters = forEachOwner(CountingProbe::new);
            return install(probe, Map.of(tracepoint.index(), List.copyOf(counters)), counters.stream()
                    .<CoreReader>map(each -> () -> new CoreReading(each.passes, Optional.empty(), 0)).toList());
        }
    }

    /// Collects what `measure` says at `tracepoint`; otherwise as [#attachCount].
    public AttachedProbe attachHistogram(Tracepoint tracepoint, ProbeMeasure measure, Optional<String> name) {
        synchronized (lock) {
            AttachedProbe probe = new AttachedProbe(newName(name), tracepoint, ProbeKind.HISTOGRAM,
                    Optional.of(measure));
            return switch (measure) {
                case ProbeMeasure.Argument argument -> {
                    List<HistogramProbe> list = forEachOwner(() -> new HistogramProbe(argument.position()));
                    yield install(probe, Map.of(tracepoint.index(), List.copyOf(list)),
                            list.stream().map(each -> reader(each.histogram())).toList());
                }
                case ProbeMeasure.Interval _ -> {
                    List<IntervalProbe> list = forEachOwner(IntervalProbe::new);
                    yield install(probe, Map.of(tracepoint.index(), List.copyOf(list)),
                            list.stream().map(each -> reader(each.histogram())).toList());
                }
                case ProbeMeasure.Since since -> attachPair(probe, since.start());
            };
        }
    }

    private AttachedProbe attachPair(AttachedProbe probe, Tracepoint start) {
        List<PairTable> tables = forEachOwner(PairTable::new);
        List<PairEndProbe> ends = tables.stream().map(PairEndProbe::new).toList();
        Map<Integer, List<Probe>> probes = new HashMap<>();
        probes.put(start.index(), tables.stream().<Probe>map(PairStartProbe::new).toList());
        probes.put(probe.tracepoint().index(), List.copyOf(ends));
        return install(probe, probes, ends.stream()
                .<CoreReader>map(each -> () -> new CoreReading(each.histogram().count(),
                        Optional.of(each.histogram().copy()), each.unmatched()))
                .toList());
    }

    private static CoreReader reader(LogLinearHistogram histogram) {
        return () -> new CoreReading(histogram.count(), Optional.of(histogram.copy()), 0);
    }

    private <T> List<T> forEachOwner(Supplier<T> make) {
        return Stream.generate(make).limit(board.owners().size()).toList();
    }

    private String newName(Optional<String> wanted) {
        if (installed.size() == MAX_PROBES) {
            throw RpcException.errno(Errno.ENOSPC, MAX_PROBES + " probes are attached, the most there can be");
        }
        String name = wanted.orElseGet(() -> {
            while (installed.containsKey("probe" + nextNumber)) {
                nextNumber++;
            }
            return "probe" + nextNumber++;
        });
        if (installed.containsKey(name)) {
            throw RpcException.errno(Errno.EEXIST, "name=" + name + " is attached to "
                    + installed.get(name).probe().tracepoint().name() + " already");
        }
        return name;
    }

    private AttachedProbe install(AttachedProbe probe, Map<Integer, List<Probe>> probes, List<CoreReader> readers) {
        board.add(probes);
        installed.put(probe.name(), new Installed(probe, probes, readers));
        return probe;
    }

    /// All, in the order in which they were attached.
    public List<AttachedProbe> list() {
        synchronized (lock) {
            return installed.values().stream().map(Installed::probe).toList();
        }
    }

    /// What the probe has seen so far. [RpcException] (ENOENT) if there is none of this name.
    public ProbeReading read(String name) {
        synchronized (lock) {
            return read(find(name));
        }
    }

    private ProbeReading read(Installed probe) {
        List<ProbeReading.CoreCount> cores = new ArrayList<>();
        Optional<LogLinearHistogram> sum = probe.probe().kind() == ProbeKind.HISTOGRAM
                ? Optional.of(new LogLinearHistogram())
                : Optional.empty();
        long unmatched = 0;
        for (int i = 0; i < board.owners().size(); i++) {
            ProbeOwner owner = board.owners().get(i);
            CoreReader reader = probe.readers().get(i);
            CoreReading[] reading = new CoreReading[1];
            owner.run(() -> reading[0] = reader.read());
            cores.add(new ProbeReading.CoreCount(owner.core(), reading[0].count()));
            reading[0].histogram().ifPresent(values -> sum.orElseThrow().add(values));
            unmatched += reading[0].unmatched();
        }
        return new ProbeReading(probe.probe(), cores, sum, unmatched);
    }

    /// Takes the probe away and returns what it had seen. [RpcException] (ENOENT) if there is none of this name.
    public ProbeReading detach(String name) {
        synchronized (lock) {
            Installed probe = find(name);
            board.remove(probe.probes());
            installed.remove(name);
            return read(probe);
        }
    }

    private Installed find(String name) {
        Installed probe = installed.get(name);
        if (probe == null) {
            throw RpcException.errno(Errno.ENOENT,
                    "there is no probe " + name + (installed.isEmpty()
                            ? "; none is attached"
                            : "; there are " + String.join(", ", installed.keySet())));
        }
        return probe;
    }
}
