package io.spindrift.apps.bdevperf;

import java.util.Optional;
import java.util.OptionalInt;

/// How much of what to do, as far as it has been said: by flags, and for one run by `perform_tests`.
///
/// @param depth       `-q`, I/Os on their way
/// @param ioSize      `-o`, bytes
/// @param workload    `-w`
/// @param seconds     `-t`
/// @param readPercent `-M`, share of reads of a mixed workload
record Load(OptionalInt depth, OptionalInt ioSize, Optional<Workload> workload, OptionalInt seconds,
        OptionalInt readPercent) {
    static final int MAX_DEPTH = 65535;
    static final int MAX_IO_SIZE = 1 << 30;
    static final int MAX_SECONDS = 1_000_000_000;

    /// Nothing said.
    static final Load NONE = new Load(OptionalInt.empty(), OptionalInt.empty(), Optional.empty(), OptionalInt.empty(),
            OptionalInt.empty());

    Load withDepth(int value) {
        return new Load(OptionalInt.of(value), ioSize, workload, seconds, readPercent);
    }

    Load withIoSize(int value) {
        return new Load(depth, OptionalInt.of(value), workload, seconds, readPercent);
    }

    Load withWorkload(Workload value) {
        return new Load(depth, ioSize, Optional.of(value), seconds, readPercent);
    }

    Load withSeconds(int value) {
        return new Load(depth, ioSize, workload, OptionalInt.of(value), readPercent);
    }

    Load withReadPercent(int value) {
        return new Load(depth, ioSize, workload, seconds, OptionalInt.of(value));
    }

    /// What `other` says, and this where it says nothing.
    Load overriddenBy(Load other) {
        return new Load(first(other.depth, depth), first(other.ioSize, ioSize), other.workload.or(() -> workload),
                first(other.seconds, seconds), first(other.readPercent, readPercent));
    }

    private static OptionalInt first(OptionalInt one, OptionalInt two) {
        return one.isPresent() ? one : two;
    }
}
