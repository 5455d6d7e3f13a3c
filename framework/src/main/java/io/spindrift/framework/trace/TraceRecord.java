package io.spindrift.framework.trace;

/// One pass of a tracepoint, as read from a trace file.
///
/// @param core       of the reactor that passed it
/// @param number     0 for the first record of that reactor's ring
/// @param tracepoint the [Tracepoint#index()]; any number, if the file is damaged
/// @param threadId   the IoThread's, 0 for none
public record TraceRecord(int core, long number, long tick, int tracepoint, int threadId, long objectId, long size,
        long arg0, long arg1, long arg2) {

    /// The argument at `position` 0..2.
    public long argument(int position) {
        return switch (position) {
            case 0 -> arg0;
            case 1 -> arg1;
            case 2 -> arg2;
            default -> throw new IllegalArgumentException("position=" + position + " is outside 0..2");
        };
    }
}
