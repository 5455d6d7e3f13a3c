package io.spindrift.framework.trace;

/// Writes a record of each pass into the reactor's ring.
///
/// It reads the clock itself, since a reactor's cached tick is one for all that happens in one poll.
final class RingProbe extends Probe {
    private final int tracepoint;
    private final TraceRing ring;
    private final ReactorProbes reactor;

    /// `tracepoint` is the index it fires for.
    RingProbe(int tracepoint, TraceRing ring, ReactorProbes reactor) {
        super(false);
        this.tracepoint = tracepoint;
        this.ring = ring;
        this.reactor = reactor;
    }

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        ring.write(System.nanoTime(), tracepoint, reactor.threadId(), objectId, size, arg0, arg1, arg2);
    }
}
