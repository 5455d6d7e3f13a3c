package io.spindrift.apps.nvme.perf;

import io.spindrift.apps.nvme.Target;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.TransportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What the flags of spdk_nvme_perf say. [PerfFlags] fills it, one thread; afterwards it does not change.
final class PerfOptions {
    static final int MAX_DEPTH = 65_535;
    static final int MAX_SECONDS = 1_000_000_000;
    static final int MAX_IO_SIZE = 1 << 30;
    static final int CACHE_LINE = 64;

    // The load.
    OptionalInt depth = OptionalInt.empty();
    OptionalInt ioSize = OptionalInt.empty();
    Optional<Pattern> pattern = Optional.empty();
    OptionalInt seconds = OptionalInt.empty();
    int warmUpSeconds;
    OptionalInt mix = OptionalInt.empty();
    double zipfTheta;
    /// Bytes of each range of an I/O's memory; those of the I/O if none are given.
    OptionalInt unitSize = OptionalInt.empty();
    int alignment = 4096;
    /// I/Os of each load, a number or a percentage of its namespace's.
    OptionalLong ios = OptionalLong.empty();
    OptionalInt iosPercent = OptionalInt.empty();
    /// Of [io.spindrift.nvme.spec.command.LbaCommand]: for namespaces with protection information.
    int protectionFlags;

    // Where.
    final List<Target> targets = new ArrayList<>();
    final List<String> allowedDevices = new ArrayList<>();
    boolean everyCore;
    int queuePairs = 1;
    int unusedQueuePairs;
    OptionalInt queueEntries = OptionalInt.empty();

    // How.
    long keepAliveMillis = ControllerOptions.Timeouts.DEFAULT.keepAliveMillis();
    ControllerOptions.Fabrics fabrics = ControllerOptions.Fabrics.DEFAULT;
    TransportOptions transport = TransportOptions.DEFAULT;
    Optional<String> sockImplementation = Optional.empty();
    final List<SockChange> sockChanges = new ArrayList<>();
    OptionalInt zeroCopyThreshold = OptionalInt.empty();
    Optional<String> zeroCopyThresholdSock = Optional.empty();
    boolean goOn;
    int errorInterval = 1;

    // What is told.
    int latencyLevel;
    boolean deviceLatency;
    boolean cpuUsage;
    boolean transportStatistics;
    /// One sentence for each flag that changes nothing.
    final List<String> notices = new ArrayList<>();

    /// Zero copy by sends of one implementation of sockets, on or off.
    record SockChange(String implementation, boolean zeroCopy) {}

    /// Refuses what cannot be run whatever controllers there are.
    ///
    /// @throws IllegalArgumentException naming the flag
    void check() {
        require(depth.isPresent(), "-q/--io-depth is missing");
        require(ioSize.isPresent(), "-o/--io-size is missing");
        require(pattern.isPresent(), "-w/--io-pattern is missing: one of " + Pattern.names());
        require(seconds.isPresent(), "-t/--time is missing");
        Pattern wanted = pattern.orElseThrow();
        require(!wanted.mixed() || mix.isPresent(),
                "-M/--rwmixread is needed with -w " + wanted.text() + ": the share of reads, 0 to 100");
        if (!wanted.mixed() && mix.isPresent()) {
            notices.add("-M/--rwmixread does nothing with -w " + wanted.text() + ": only rw and randrw mix");
        }
        require(warmUpSeconds == 0 || ios.isEmpty() && iosPercent.isEmpty(),
                "-d/--number-ios and -a/--warmup-time exclude each other");
        require(ios.isEmpty() || ios.getAsLong() >= depth.getAsInt(),
                "-d/--number-ios " + ios.orElse(0) + " is less than -q/--io-depth " + depth.getAsInt());
        require(zeroCopyThreshold.isEmpty() || zeroCopyThresholdSock.isPresent(),
                "--zerocopy-threshold needs --zerocopy-threshold-sock-impl");
        if (targets.isEmpty()) {
            targets.add(Target.LOCAL);
        }
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }

    int readPercent() {
        return pattern.orElseThrow().readPercent(mix.orElse(0));
    }

    /// Tasks of each queue pair, the first ones may have one more.
    int tasksOfQueuePair() {
        return (depth.orElseThrow() + queuePairs - 1) / queuePairs;
    }

    /// How controllers are to be used. A queue has a place for each task, if the controller gives so many.
    ControllerOptions controllerOptions() {
        ControllerOptions.Queues queues = ControllerOptions.Queues.DEFAULT;
        int entries = queueEntries.orElse(Math.max(queues.ioEntries(), tasksOfQueuePair() + 1));
        return ControllerOptions.defaults()
                .withQueues(queues.withIoEntries(Math.min(entries, MAX_DEPTH), queues.ioRequests()))
                .withTimeouts(ControllerOptions.Timeouts.DEFAULT.withKeepAlive(keepAliveMillis))
                .withFabrics(fabrics);
    }
}
