package io.spindrift.framework.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One application's tracing: which tracepoints write records, the file they write to, and the probes beside them.
///
/// The shared-memory file is made when the first tracepoint is switched on or its path is asked for, so that an
/// application that never traces leaves nothing behind. When the application ends the file stays if it holds records
/// (`spdk_trace -f` reads it) and is removed if not; after a crash it stays.
///
/// Control path: any thread that may wait, one call at a time.
public final class Trace implements AutoCloseable {
    private final TraceOptions options;
    private final TraceGroups groups;
    private final ProbeBoard board;
    private final TraceProbes probes;
    private final Map<TraceGroup, Long> masks = new HashMap<>();
    /// By tracepoint index: the ring probes that are on the board, one for each reactor.
    private final Map<Integer, List<RingProbe>> recording = new HashMap<>();
    private Optional<TraceFile> file = Optional.empty();
    private boolean closed;

    /// All tracepoints are off. `owners` are all reactors of the application.
    public Trace(TraceOptions options, TraceGroups groups, List<? extends ProbeOwner> owners) {
        this.options = options;
        this.groups = groups;
        this.board = new ProbeBoard(owners);
        this.probes = new TraceProbes(groups, board, this);
    }

    public TraceGroups groups() {
        return groups;
    }

    /// The counting and measuring probes.
    public TraceProbes probes() {
        return probes;
    }

    /// The file's path; makes the file if there is none yet. `IllegalStateException` if `--num-trace-entries 0` forbids
    /// records.
    public synchronized Path path() throws IOException {
        return file().path();
    }

    /// What to type to see the records: `spdk_trace -s spdk_tgt -p 4711`.
    public synchronized String captureCommand() throws IOException {
        Path path = path();
        String name = path.getFileName().toString();
        String prefix = options.application() + "_trace.pid";
        if (options.shmId().isPresent()) {
            return "spdk_trace -s " + options.application() + " -i " + options.shmId().getAsInt();
        }
        boolean first = path.equals(TraceFileName.preferred(options))
                && options.directory().equals(TraceOptions.SHARED_MEMORY);
        return first
                ? "spdk_trace -s " + options.application() + " -p " + name.substring(prefix.length())
                : "spdk_trace -f " + path;
    }

    /// The tracepoints of `group` that are on, as they were selected: bits without a tracepoint are kept.
    public synchronized long mask(TraceGroup group) {
        return masks.getOrDefault(group, 0L);
    }

    /// The groups of which any tracepoint is on.
    public synchronized long groupMask() {
        return groups.all().stream().filter(group -> mask(group) != 0).mapToLong(TraceGroup::mask).sum();
    }

    /// Switches the selected tracepoints on; others stay as they are. Returns when every reactor records.
    public synchronized void enable(TraceSelection selection) throws IOException {
        if (!selection.masks().isEmpty()) {
            file();
        }
        change(selection, (mask, bits) -> mask | bits);
    }

    /// Switches the selected tracepoints off. Returns when no reactor records any more.
    public synchronized void disable(TraceSelection selection) throws IOException {
        change(selection, (mask, bits) -> mask & ~bits);
    }

    @FunctionalInterface
    private interface MaskChange {
        long apply(long mask, long bits);
    }

    private void change(TraceSelection selection, MaskChange change) throws IOException {
        Map<Integer, List<RingProbe>> on = new HashMap<>();
        Map<Integer, List<RingProbe>> off = new HashMap<>();
        for (TraceGroup group : groups.all()) {
            long mask = change.apply(mask(group), selection.masks().getOrDefault(group.number(), 0L));
            masks.put(group, mask);
            file.ifPresent(trace -> trace.mask(group, mask));
            for (Tracepoint tracepoint : group.tracepoints()) {
                boolean wanted = (mask & tracepoint.mask()) != 0;
                if (wanted && !recording.containsKey(tracepoint.index())) {
                    on.put(tracepoint.index(), ringProbes(file(), tracepoint.index()));
                } else if (!wanted && recording.containsKey(tracepoint.index())) {
                    off.put(tracepoint.index(), recording.get(tracepoint.index()));
                }
            }
        }
        recording.putAll(on);
        recording.keySet().removeAll(off.keySet());
        board.add(on);
        board.remove(off);
    }

    private List<RingProbe> ringProbes(TraceFile trace, int index) {
        List<RingProbe> list = new ArrayList<>();
        for (int i = 0; i < board.owners().size(); i++) {
            list.add(new RingProbe(index, trace.ring(i), board.owners().get(i).probes()));
        }
        return list;
    }

    /// Forgets all records, on every reactor.
    public synchronized void clear() {
        file.ifPresent(trace -> {
            for (int i = 0; i < board.owners().size(); i++) {
                board.owners().get(i).run(trace.ring(i)::clear);
            }
        });
    }

    private TraceFile file() throws IOException {
        if (closed) {
            throw new IllegalStateException("the application is ending");
        }
        if (options.entries() == 0) {
            throw new IllegalStateException("tracing is off: the application was started with --num-trace-entries 0");
        }
        if (file.isEmpty()) {
            file = Optional.of(TraceFile.create(options, groups,
                    board.owners().stream().map(ProbeOwner::core).toList()));
        }
        return file.get();
    }

    /// Runs every kind of probe often enough that their classes are loaded and [ReactorProbes#fire] is compiled with all
    /// of them in mind: otherwise the first probe attached to a busy reactor makes it run interpreted for milliseconds.
    /// Called once, beside the rest of the start: it takes a thread up to 20 ms, most of it for loading classes.
    public static void warmUp() {
        WarmUp.run();
    }

    /// Lets go of the file, after the reactors have stopped.
    @Override
    public synchronized void close() {
        closed = true;
        file.ifPresent(TraceFile::close);
        file = Optional.empty();
    }
}
