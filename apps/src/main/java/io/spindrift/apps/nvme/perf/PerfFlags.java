package io.spindrift.apps.nvme.perf;

import io.spindrift.apps.nvme.Target;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.Flag;
import io.spindrift.framework.app.FlagValues;
import io.spindrift.framework.log.LogLevel;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.command.LbaCommand;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// The flags of spdk_nvme_perf, as SPDK's users and scripts pass them.
///
/// Those that have no effect here are accepted, and each leaves a sentence in [PerfOptions#notices].
final class PerfFlags {
    private static final int MAX_QUEUE_PAIRS = 4096;
    private static final double MAX_THETA = 100;
    private static final long MAX_BYTES = 1L << 48;
    private static final int MAX_TOS = 255;

    private final ApplicationOptions.Builder common;
    private final PerfOptions options;

    private PerfFlags(ApplicationOptions.Builder common, PerfOptions options) {
        this.common = common;
        this.options = options;
    }

    /// The flags, which write to `options`, and to `common` what concerns the whole program.
    static List<Flag> of(ApplicationOptions.Builder common, PerfOptions options) {
        PerfFlags flags = new PerfFlags(common, options);
        return Stream.of(flags.load(), flags.amounts(), flags.places(), flags.tcp(), flags.reports(), flags.program(),
                flags.meaningless(), flags.refused()).flatMap(List::stream).toList();
    }

    private List<Flag> load() {
        return List.of(
                Flag.value("-q/--io-depth", "N", "I/Os on their way for each namespace and core",
                        text -> options.depth = number(text, 1, PerfOptions.MAX_DEPTH)),
                Flag.value("-o/--io-size", "BYTES", "bytes of an I/O (also 4k)",
                        text -> options.ioSize = bytes(text, 1, PerfOptions.MAX_IO_SIZE)),
                Flag.value("-w/--io-pattern", "PATTERN", Pattern.names(),
                        text -> options.pattern = java.util.Optional.of(Pattern.parse(text))),
                Flag.value("-M/--rwmixread", "PERCENT", "share of reads of rw and randrw",
                        text -> options.mix = number(text, 0, 100)),
                Flag.value("-F/--zipf", "THETA", "skew random places: Zipf's law with this exponent",
                        text -> options.zipfTheta = FlagValues.real(text, 0, MAX_THETA)),
                Flag.value("-O/--io-unit-size", "BYTES", "memory of an I/O in ranges of so many bytes",
                        text -> options.unitSize = unit(text)),
                Flag.value("-A/--buffer-alignment", "BYTES", "alignment of buffers, a power of two (default 4096)",
                        text -> options.alignment = alignment(text)),
                Flag.value("-e/--metadata", "FORMAT", "protection information: PRACT=0|1,PRCHK=GUARD|REFTAG|APPTAG",
                        text -> options.protectionFlags = protection(text)));
    }

    private List<Flag> amounts() {
        return List.of(
                Flag.value("-t/--time", "SECONDS", "how long to run",
                        text -> options.seconds = number(text, 1, PerfOptions.MAX_SECONDS)),
                Flag.value("-a/--warmup-time", "SECONDS", "run so long before anything is counted",
                        text -> options.warmUpSeconds = FlagValues.number(text, 0, PerfOptions.MAX_SECONDS)),
                Flag.value("-d/--number-ios", "N", "end after N I/Os of each namespace and core; 50%: of the namespace",
                        this::ios),
                Flag.value("-Q/--continue-on-error", "N", "go on after errors, and tell every Nth", text -> {
                    options.errorInterval = FlagValues.number(text, 1, Integer.MAX_VALUE);
                    options.goOn = true;
                }));
    }

    private List<Flag> places() {
        return List.of(
                Flag.value("-r/--transport", "ID",
                        "controllers: 'trtype:TCP adrfam:IPv4 traddr:192.0.2.1 trsvcid:4420 "
                                + "[subnqn:NQN] [hostnqn:NQN] [hostaddr:IP] [ns:N]' (again for more)",
                        text -> options.targets.add(Target.parse(text))),
                Flag.value("-b/--allowed-pci-addr", "BDF", "of all local controllers use this one (again for more)",
                        text -> options.allowedDevices.add(FlagValues.pciAddress(text))),
                Flag.value("-c/--core-mask", "MASK", "cores to run on: 0x3, 3 or [0,1,4-7] (default 0x1)",
                        text -> common.cpuMask(CpuMask.parse(text))),
                Flag.toggle("--use-every-core", "every core uses every namespace", () -> options.everyCore = true),
                Flag.value("-P/--num-qpairs", "N", "queue pairs for each namespace and core (default 1)",
                        text -> options.queuePairs = FlagValues.number(text, 1, MAX_QUEUE_PAIRS)),
                Flag.value("-U/--num-unused-qpairs", "N", "queue pairs beside them that do nothing",
                        text -> options.unusedQueuePairs = FlagValues.number(text, 0, MAX_QUEUE_PAIRS)),
                Flag.value("--io-queue-size", "N", "entries of a queue (default: 256, or what -q takes)",
                        text -> options.queueEntries = bytes(text, 2, PerfOptions.MAX_DEPTH)),
                Flag.value("-k/--keepalive", "MS", "keep alive timeout (default 10000)",
                        text -> options.keepAliveMillis = FlagValues.number(text, 0, Integer.MAX_VALUE)));
    }

    private List<Flag> tcp() {
        return List.of(
                Flag.toggle("-H/--enable-tcp-hdgst", "a digest behind each header",
                        () -> options.fabrics = options.fabrics.withDigests(true, options.fabrics.dataDigest())),
                Flag.toggle("-I/--enable-tcp-ddgst", "a digest behind all data",
                        () -> options.fabrics = options.fabrics.withDigests(options.fabrics.headerDigest(), true)),
                Flag.value("-S/--default-sock-impl", "NAME", "implementation of sockets: posix, uring",
                        text -> options.sockImplementation = java.util.Optional.of(text)),
                Flag.value("-z/--disable-zcopy", "NAME", "these sockets copy what they send (default)",
                        text -> options.sockChanges.add(new PerfOptions.SockChange(text, false))),
                Flag.value("-Z/--enable-zcopy", "NAME", "these sockets send without a copy",
                        text -> options.sockChanges.add(new PerfOptions.SockChange(text, true))),
                Flag.value("--zerocopy-threshold", "BYTES", "from how many bytes on",
                        text -> options.zeroCopyThreshold = bytes(text, 0, Integer.MAX_VALUE)),
                Flag.value("--zerocopy-threshold-sock-impl", "NAME", "... of which sockets",
                        text -> options.zeroCopyThresholdSock = java.util.Optional.of(text)),
                Flag.value("--transport-tos", "N", "type of service of what is sent",
                        text -> options.fabrics = options.fabrics.withTos(FlagValues.number(text, 0, MAX_TOS))),
                Flag.value("--rdma-srq-size", "N", "entries of RDMA's shared receive queue", text -> {
                    options.transport = options.transport.withRdmaSrqSize(FlagValues.number(text, 0, 65536));
                    options.notices.add("--rdma-srq-size has no effect: there is no RDMA transport yet");
                }));
    }

    private List<Flag> reports() {
        return List.of(
                Flag.toggle("-L/--enable-sw-latency-tracking", "latency percentiles; twice: the histogram too",
                        () -> options.latencyLevel++),
                Flag.toggle("-l/--enable-ssd-latency-tracking", "latencies that the device has counted",
                        () -> options.deviceLatency = true),
                Flag.toggle("-m/--cpu-usage", "show how busy the cores are, on a terminal",
                        () -> options.cpuUsage = true),
                Flag.toggle("--transport-stats", "print what the transports have counted",
                        () -> options.transportStatistics = true),
                Flag.value("-T/--logflag", "FLAG", "log this topic in detail (again for more; all)",
                        text -> common.logFlags(FlagValues.words(text))),
                Flag.value("--log-level", "LEVEL", "error, warning, notice, info, debug", this::logLevel),
                Flag.value("-y/--tpoint-group", "GROUPS", "trace, as -e of other programs", common::tracepoints));
    }

    private List<Flag> program() {
        return List.of(
                Flag.value("-s/--hugemem-size", "MB", "with --no-huge, memory to use at most; else without effect",
                        text -> common.memory(common.memory().withMebibytes(FlagValues.mebibytes(text, 0, 1 << 24)))),
                Flag.toggle("--no-huge", "use no hugepages",
                        () -> common.memory(common.memory().withoutHugePages())),
                Flag.value("-i/--shmem-grp-id", "N", "id in the name of the trace file (with -y)",
                        text -> common.sharedMemoryId(FlagValues.number(text, -1, Integer.MAX_VALUE))),
                Flag.toggle("-E/--enable-interrupt", "sleep while there is nothing to do, instead of polling",
                        () -> common.poll(false)));
    }

    private List<Flag> meaningless() {
        return List.of(
                ignored("-C/--max-completion-per-poll", "N", "a poll takes what has come, up to a bound of its own"),
                ignored("-D/--disable-sq-cmb", "queues are in the host's memory anyway"),
                ignored("-N/--no-shst-notification", "controllers are shut down in order all the same"),
                ignored("-V/--enable-vmd", "controllers behind a VMD are not looked for"),
                ignored("-g/--mem-single-seg", "hugepages are mapped without files"),
                ignored("--iova-mode", "MODE", "it has no meaning on the JVM"),
                ignored("--enforce-numa", "it has no meaning on the JVM"),
                ignored("--env-context", "TEXT", "it has no meaning on the JVM"),
                ignored("--vfio-vf-token", "UUID", "virtual functions are used without"));
    }

    /// Without them a connection would be less protected than the user believes.
    private List<Flag> refused() {
        return List.of(refused("--psk-path", "FILE"), refused("--psk-identity", "NAME"), refused("--tls-version", "N"),
                refused("--dhchap-key", "FILE"), refused("--dhchap-ctrlr-key", "FILE"),
                Flag.toggle("--enable-ktls", "refused: there is no TLS", PerfFlags::refuse),
                Flag.toggle("--disable-ktls", "refused: there is no TLS", PerfFlags::refuse));
    }

    private static Flag refused(String name, String argument) {
        return Flag.value(name, argument, "refused: there is no TLS and no authentication", _ -> refuse());
    }

    private static void refuse() {
        throw new IllegalArgumentException("there is no TLS and no authentication of hosts yet");
    }

    private Flag ignored(String names, String argument, String reason) {
        return Flag.value(names, argument, "accepted without effect", _ -> note(names, reason));
    }

    private Flag ignored(String names, String reason) {
        return Flag.toggle(names, "accepted without effect", () -> note(names, reason));
    }

    private void note(String names, String reason) {
        options.notices.add(names + " changes nothing: " + reason);
    }

    // ---- values -----------------------------------------------------------------------------------------------

    private static OptionalInt number(String text, int min, int max) {
        return OptionalInt.of(FlagValues.number(text, min, max));
    }

    private static OptionalInt bytes(String text, int min, int max) {
        return OptionalInt.of((int) FlagValues.bytes(text, min, max));
    }

    private static OptionalInt unit(String text) {
        OptionalInt unit = bytes(text, 4, PerfOptions.MAX_IO_SIZE);
        if (unit.getAsInt() % 4 != 0) {
            throw new IllegalArgumentException("a multiple of 4 is needed");
        }
        return unit;
    }

    private static int alignment(String text) {
        int alignment = (int) FlagValues.bytes(text, PerfOptions.CACHE_LINE, 1 << 30);
        if (Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("a power of two is needed");
        }
        return alignment;
    }

    private void ios(String text) {
        if (text.endsWith("%")) {
            options.iosPercent = number(text.substring(0, text.length() - 1), 1, Integer.MAX_VALUE);
        } else {
            options.ios = OptionalLong.of(FlagValues.bytes(text, 1, MAX_BYTES));
        }
    }

    private static int protection(String text) {
        int flags = 0;
        for (String pair : text.split(",")) {
            int equals = pair.indexOf('=');
            String value = pair.substring(equals + 1);
            flags |= switch (equals < 0 ? "" : pair.substring(0, equals)) {
                case "PRACT" -> FlagValues.number(value, 0, 1) * LbaCommand.PRACT;
                case "PRCHK" -> checks(value);
                default -> throw new IllegalArgumentException(
                        "'" + pair + "' is neither PRACT=0|1 nor PRCHK=GUARD|REFTAG|APPTAG");
            };
        }
        return flags;
    }

    private static int checks(String text) {
        int flags = 0;
        for (String name : text.split("\\|")) {
            flags |= switch (name) {
                case "GUARD" -> LbaCommand.PRCHK_GUARD;
                case "REFTAG" -> LbaCommand.PRCHK_REFERENCE_TAG;
                case "APPTAG" -> LbaCommand.PRCHK_APPLICATION_TAG;
                default -> throw new IllegalArgumentException("'" + name + "' is none of GUARD, REFTAG and APPTAG");
            };
        }
        return flags;
    }

    private void logLevel(String text) {
        LogLevel level = LogLevel.valueOf(switch (text) {
            case "error", "warning", "notice", "info", "debug" -> text.toUpperCase(java.util.Locale.ROOT);
            default -> throw new IllegalArgumentException("one of error, warning, notice, info, debug is needed");
        });
        common.silenceNotices(level.compareTo(LogLevel.NOTICE) < 0);
    }
}
