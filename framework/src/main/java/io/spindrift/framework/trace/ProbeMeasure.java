package io.spindrift.framework.trace;

/// What a histogram probe collects.
public sealed interface ProbeMeasure {
    /// As users read it.
    String text();

    /// Whether the values are ticks.
    boolean ticks();

    /// The argument at `position`.
    record Argument(int position, TraceArgument argument) implements ProbeMeasure {
        @Override
        public String text() {
            return "argument " + argument.name();
        }

        @Override
        public boolean ticks() {
            return argument.kind() == TraceArgument.Kind.DURATION;
        }
    }

    /// The time since the same object passed `start` on the same reactor.
    record Since(Tracepoint start) implements ProbeMeasure {
        @Override
        public String text() {
            return "time since " + start.name() + " of the same object";
        }

        @Override
        public boolean ticks() {
            return true;
        }
    }

    /// The time since the tracepoint was passed before, on the same reactor.
    record Interval() implements ProbeMeasure {
        @Override
        public String text() {
            return "time since the last pass on the same core";
        }

        @Override
        public boolean ticks() {
            return true;
        }
    }
}
