package io.spindrift.framework.trace;

/// The probes of one reactor: a nullable reference for each tracepoint.
///
/// A reactor holds one in a final field. Everything here belongs to the reactor's thread; the tracing control changes
/// it by messages to that thread. A tracepoint that is off costs one load and one branch.
public final class ReactorProbes {
    private final Probe[] probes = new Probe[Tracepoint.LIMIT];
    private long threadId;

    /// All off.
    public ReactorProbes() {}

    /// Notes that the tracepoint of this [Tracepoint#index()] was passed; see [Probe#fire] for the parameters.
    ///
    /// Use this rather than testing for a probe at the place itself: this method is compiled with every kind of probe
    /// seen, so that attaching one does not throw away the compiled data path.
    public void fire(int index, long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        Probe probe = probes[index];
        if (probe != null) {
            // Here, not in a method of the probe: the JVM, which has seen this tracepoint off, would not inline a call.
            probe.passes++;
            if (!probe.onlyCounts) {
                probe.fire(tick, objectId, size, arg0, arg1, arg2);
            }
        }
    }

    /// True when something listens at this tracepoint: ask before computing arguments that cost something.
    public boolean isOn(int index) {
        return probes[index] != null;
    }

    /// The reactor enters the IoThread of this id, which trace records then name; 0 between threads.
    public void enterThread(long id) {
        threadId = id;
    }

    long threadId() {
        return threadId;
    }

    /// `probe` null turns the tracepoint off.
    void set(int index, Probe probe) {
        probes[index] = probe;
    }
}
