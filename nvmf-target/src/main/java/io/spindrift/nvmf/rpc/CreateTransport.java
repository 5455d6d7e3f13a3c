package io.spindrift.nvmf.rpc;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvmf.spi.FusesFeature;
import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.OncsFeature;
import io.spindrift.nvmf.spi.TransportExtras;
import io.spindrift.nvmf.spi.TransportOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// Parameters of `nvmf_create_transport`, in the order in which results and saved configurations have them.
record CreateTransport(
        @Option({
                "-t", "--trtype"})
        @Description("kind of transport: TCP, RDMA") String trtype,
        @Option({"-g", "--tgt-name"})
        @Description("the target; the only one if it is left out") Optional<String> tgtName,
        @Option({"-q", "--max-queue-depth"}) @Unsigned(16)
        @Description("entries of an I/O queue") OptionalInt maxQueueDepth,
        @Option({"-m", "--max-io-qpairs-per-ctrlr"}) @Unsigned(16)
        @Description("I/O queue pairs of a controller") OptionalInt maxIoQpairsPerCtrlr,
        @Option({"-c", "--in-capsule-data-size"}) @Unsigned(32)
        @Description("bytes of data that a command can carry") OptionalLong inCapsuleDataSize,
        @Option({"-i", "--max-io-size"}) @Unsigned(32)
        @Description("bytes of the longest transfer, a power of two") OptionalLong maxIoSize,
        @Option({"-u", "--io-unit-size"}) @Unsigned(32)
        @Description("deprecated, has no effect") OptionalLong ioUnitSize,
        @Option({"-a", "--max-aq-depth"}) @Unsigned(32)
        @Description("entries of an admin queue") OptionalLong maxAqDepth,
        @Option({"-n", "--num-shared-buffers"}) @Unsigned(32)
        @Description("deprecated, has no effect") OptionalLong numSharedBuffers,
        @Option({"-b", "--buf-cache-size"}) @Unsigned(32)
        @Description("deprecated: as iobuf_small_cache_size") OptionalLong bufCacheSize,
        @Unsigned(32) @Description("small buffers that a poll group keeps") OptionalLong iobufSmallCacheSize,
        @Unsigned(32) @Description("large buffers that a poll group keeps") OptionalLong iobufLargeCacheSize,
        @Option({"-f", "--dif-insert-or-strip"})
        @Description("protection information is added and removed here") Optional<Boolean> difInsertOrStrip,
        @Option({"-z", "--zcopy"}) @Description("use devices' own buffers") Optional<Boolean> zcopy,
        @Option(value = {"-o", "--c2h-success"}, negated = true)
        @Description("TCP: no success with read data") Optional<Boolean> c2hSuccess,
        @Option({"-y", "--sock-priority"}) @Unsigned(32)
        @Description("TCP: priority of the sockets") OptionalLong sockPriority,
        @Option({"-e", "--control-msg-num"}) @Unsigned(16)
        @Description("TCP: buffers for large in-capsule data of admin queues") OptionalInt controlMsgNum,
        @Option({"-d", "--num-cqe"}) @Description("RDMA: entries of a completion queue") OptionalInt numCqe,
        @Option({"-s", "--max-srq-depth"}) @Unsigned(32)
        @Description("RDMA: entries of a shared receive queue") OptionalLong maxSrqDepth,
        @Option({"-r", "--no-srq"}) @Description("RDMA: no shared receive queue") Optional<Boolean> noSrq,
        @Option({"-l", "--acceptor-backlog"})
        @Description("RDMA: connections that wait to be accepted") OptionalInt acceptorBacklog,
        @Option({"-w", "--no-wr-batching"})
        @Description("RDMA: work requests go out one by one") Optional<Boolean> noWrBatching,
        @Option({"-M", "--disable-mappable-bar0"})
        @Description("vfio-user: doorbells by messages") Optional<Boolean> disableMappableBar0,
        @Option({"-I", "--disable-adaptive-irq"})
        @Description("vfio-user: an interrupt for each completion") Optional<Boolean> disableAdaptiveIrq,
        @Option({"-S", "--disable-shadow-doorbells"})
        @Description("vfio-user: no shadow doorbells") Optional<Boolean> disableShadowDoorbells,
        @Option({"-x", "--abort-timeout-sec"}) @Unsigned(32)
        @Description("seconds that an Abort waits for its command") OptionalLong abortTimeoutSec,
        @Unsigned(32) @Description("microseconds between looks for new connections") OptionalLong acceptorPollRate,
        @Unsigned(32) @Description("RDMA: the connections' timeout, as an exponent") OptionalLong ackTimeout,
        @Unsigned(32) @Description("RDMA: work requests for data") OptionalLong dataWrPoolSize,
        @Description("refuse commands that are not known") Optional<Boolean> disableCommandPassthru,
        @Unsigned(16) @Description("unit of Keep Alive timeouts, in 100 ms") OptionalInt kas,
        @Unsigned(32) @Description("shortest Keep Alive timeout, in ms") OptionalLong minKato,
        @Description("optional commands that hosts are not told of") Optional<List<OncsFeature>> maskedOncs,
        @Description("fused operations that hosts are not told of") Optional<List<FusesFeature>> maskedFuses) {
    CreateTransport {
        bufCacheSize.ifPresent(size -> TransportOptions.Buffers.checkCache("buf_cache_size", size));
    }

    /// What is given, and `now` for the rest.
    TransportOptions over(TransportOptions now) {
        TransportOptions.Buffers buffers = now.buffers();
        return new TransportOptions(maxQueueDepth.orElse(now.maxQueueDepth()),
                maxIoQpairsPerCtrlr.orElse(now.maxIoQueuePairs()), inCapsuleDataSize.orElse(now.inCapsuleDataSize()),
                maxIoSize.orElse(now.maxIoSize()), maxAqDepth.orElse(now.maxAdminQueueDepth()),
                new TransportOptions.Buffers(smallCache(buffers.smallCache()),
                        iobufLargeCacheSize.orElse(buffers.largeCache()),
                        difInsertOrStrip.orElse(buffers.difInsertOrStrip()), zcopy.orElse(buffers.zeroCopy())),
                abortTimeoutSec.orElse(now.abortTimeoutSeconds()), acceptorPollRate.orElse(now.acceptorPollMicros()),
                ackTimeout.orElse(now.ackTimeout()), dataWrPoolSize.orElse(now.dataWrPoolSize()),
                disableCommandPassthru.orElse(now.commandPassthruDisabled()),
                new TransportOptions.KeepAlive(kas.orElse(now.keepAlive().granularity()),
                        minKato.orElse(now.keepAlive().minMillis())),
                maskedOncs.map(Set::copyOf).orElse(now.maskedOncs()),
                maskedFuses.map(Set::copyOf).orElse(now.maskedFuses()), extras());
    }

    private long smallCache(long now) {
        return bufCacheSize.orElse(0) != 0 ? bufCacheSize.getAsLong() : iobufSmallCacheSize.orElse(now);
    }

    private TransportExtras extras() {
        return new TransportExtras(c2hSuccess, sockPriority, controlMsgNum, numCqe, maxSrqDepth, noSrq,
                acceptorBacklog, noWrBatching, disableMappableBar0, disableAdaptiveIrq, disableShadowDoorbells);
    }

    /// The call that would make `transport` again. `tgtName` is empty for the application's own target.
    static CreateTransport of(NvmfTransport transport, Optional<String> tgtName) {
        TransportOptions options = transport.options();
        TransportOptions.Buffers buffers = options.buffers();
        TransportExtras own = transport.ownOptions();
        return new CreateTransport(transport.trtype(), tgtName, OptionalInt.of(options.maxQueueDepth()),
                OptionalInt.of(options.maxIoQueuePairs()), OptionalLong.of(options.inCapsuleDataSize()),
                OptionalLong.of(options.maxIoSize()), OptionalLong.empty(),
                OptionalLong.of(options.maxAdminQueueDepth()), OptionalLong.empty(), OptionalLong.empty(),
                OptionalLong.of(buffers.smallCache()), OptionalLong.of(buffers.largeCache()),
                Optional.of(buffers.difInsertOrStrip()), Optional.of(buffers.zeroCopy()), own.c2hSuccess(),
                own.sockPriority(), own.controlMsgNum(), own.numCqe(), own.maxSrqDepth(), own.noSrq(),
                own.acceptorBacklog(), own.noWrBatching(), own.disableMappableBar0(), own.disableAdaptiveIrq(),
                own.disableShadowDoorbells(), OptionalLong.of(options.abortTimeoutSeconds()), pollRate(options),
                OptionalLong.of(options.ackTimeout()), OptionalLong.of(options.dataWrPoolSize()),
                Optional.of(options.commandPassthruDisabled()), OptionalInt.of(options.keepAlive().granularity()),
                OptionalLong.of(options.keepAlive().minMillis()), masks(options.maskedOncs()),
                masks(options.maskedFuses()));
    }

    /// The peer does not show it; nor is it here unless it was changed.
    private static OptionalLong pollRate(TransportOptions options) {
        return options.acceptorPollMicros() == TransportOptions.DEFAULT.acceptorPollMicros()
                ? OptionalLong.empty()
                : OptionalLong.of(options.acceptorPollMicros());
    }

    private static <E extends Enum<E>> Optional<List<E>> masks(Set<E> features) {
        return features.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(new TreeSet<>(features)));
    }
}
