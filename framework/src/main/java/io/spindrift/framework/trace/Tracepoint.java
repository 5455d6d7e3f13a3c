package io.spindrift.framework.trace;

import io.spindrift.framework.Check;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A place in the code whose passing can be recorded, counted or measured at run time.
///
/// Declared once, as a constant of a [TraceCatalog]; the code that passes the place holds only the [#index()]:
///
/// ```java
/// static final int IO_DONE = Tracepoint.index(3, 1);
/// ...
/// probes.fire(IO_DONE, tick, io.id(), io.length(), latencyTicks, status, queueDepth);
/// ```
///
/// The index is the group's number and the tracepoint's own number in it, so that modules compiled apart agree.
///
/// @param index          `group * 64 + id`, from [#index(int, int)]
/// @param name           as users type it: `BDEV_IO_START`
/// @param object         what the object id names
/// @param startsObject   true when an object's life begins here: readers give it a fresh number and count time from it
/// @param arguments      at most three, in the order in which they are fired
public record Tracepoint(int index, String name, TraceObject object, boolean startsObject,
        List<TraceArgument> arguments) {

    /// Tracepoints of one group: one for each bit of a tracepoint mask.
    public static final int IDS_PER_GROUP = 64;

    /// Groups: one for each bit of a group mask.
    public static final int GROUPS = 64;

    /// All indices are below this.
    public static final int LIMIT = GROUPS * IDS_PER_GROUP;

    public static final int MAX_ARGUMENTS = 3;

    /// The longest name, in bytes, so that it fits the trace file's table.
    public static final int MAX_NAME_BYTES = 31;

    public Tracepoint {
        Check.range("index", index, 0, LIMIT - 1);
        TraceNames.check("tracepoint", name, MAX_NAME_BYTES);
        Objects.requireNonNull(object, "object");
        arguments = List.copyOf(arguments);
        Check.range("arguments", arguments.size(), 0, MAX_ARGUMENTS);
    }

    /// The index of tracepoint `id` of `group`.
    public static int index(int group, int id) {
        Check.range("group", group, 0, GROUPS - 1);
        Check.range("id", id, 0, IDS_PER_GROUP - 1);
        return group * IDS_PER_GROUP + id;
    }

    /// A tracepoint that begins the life of an `object`.
    public static Tracepoint starts(int index, String name, TraceObject object, TraceArgument... arguments) {
        return new Tracepoint(index, name, object, true, List.of(arguments));
    }

    /// A tracepoint in the life of an `object`, or of none ([TraceObject#NONE]).
    public static Tracepoint of(int index, String name, TraceObject object, TraceArgument... arguments) {
        return new Tracepoint(index, name, object, false, List.of(arguments));
    }

    /// The number of the group: the bit in a group mask.
    public int group() {
        return index / IDS_PER_GROUP;
    }

    /// The number in the group: the bit in a tracepoint mask.
    public int id() {
        return index % IDS_PER_GROUP;
    }

    /// This tracepoint's bit in its group's mask.
    public long mask() {
        return 1L << id();
    }

    /// The position of the first argument that is a duration, which a histogram probe collects by default.
    public Optional<Integer> durationArgument() {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).kind() == TraceArgument.Kind.DURATION) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }
}
