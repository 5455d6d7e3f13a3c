package io.spindrift.nvmf.spi;

import io.spindrift.framework.Check;
import io.spindrift.framework.memory.BufferPools;
import java.util.Set;

/// What a transport is made with. The names of the parameters of `nvmf_create_transport` are those of the messages.
///
/// @param maxQueueDepth          entries of an I/O queue
/// @param maxIoQueuePairs        I/O queue pairs of a controller (`max_io_qpairs_per_ctrlr`)
/// @param inCapsuleDataSize      bytes of data that a command can carry
/// @param maxIoSize              bytes of the longest transfer, a power of two
/// @param maxAdminQueueDepth     entries of an admin queue (`max_aq_depth`)
/// @param buffers                data buffers and how they are used
/// @param abortTimeoutSeconds    how long an Abort waits for its command
/// @param acceptorPollMicros     microseconds between looks for new connections, where nothing tells of them
/// @param ackTimeout             RDMA: the connections' timeout, as an exponent
/// @param dataWrPoolSize         RDMA: work requests for data
/// @param commandPassthruDisabled whether commands that are not known are refused rather than passed on
/// @param keepAlive              Keep Alive timers
/// @param maskedOncs             optional commands that hosts are not told of
/// @param maskedFuses            fused operations that hosts are not told of
/// @param extras                 what only some kinds of transport have
public record TransportOptions(int maxQueueDepth, int maxIoQueuePairs, long inCapsuleDataSize, long maxIoSize,
        long maxAdminQueueDepth, Buffers buffers, long abortTimeoutSeconds, long acceptorPollMicros, long ackTimeout,
        long dataWrPoolSize, boolean commandPassthruDisabled, KeepAlive keepAlive, Set<OncsFeature> maskedOncs,
        Set<FusesFeature> maskedFuses, TransportExtras extras) {

    /// Data buffers.
    ///
    /// @param smallCache       small buffers that a poll group keeps; [#CACHE_OF_THE_POOLS] leaves it to the pools
    /// @param largeCache       large ones
    /// @param difInsertOrStrip whether protection information is added and removed here
    /// @param zeroCopy         whether devices' own buffers are used where they have some
    public record Buffers(long smallCache, long largeCache, boolean difInsertOrStrip, boolean zeroCopy) {
        /// A cache as large as the pools have it for those who do not say.
        public static final long CACHE_OF_THE_POOLS = MAX_U32;

        public Buffers {
            checkCache("iobuf_small_cache_size", smallCache);
            checkCache("iobuf_large_cache_size", largeCache);
        }

        /// [IllegalArgumentException] if `size` is no value of `parameter`, a cache's size.
        public static void checkCache(String parameter, long size) {
            if (size != CACHE_OF_THE_POOLS) {
                Check.range(parameter, size, 0, BufferPools.MAX_CACHE_SIZE);
            }
        }
    }

    /// Keep Alive timers (NVM Express Base 2.0, 3.9).
    ///
    /// @param granularity the unit of timeouts in 100 ms (`kas`)
    /// @param minMillis   the shortest timeout, rounded up to a multiple of the unit (`min_kato`)
    public record KeepAlive(int granularity, long minMillis) {
        private static final int UNIT_MILLIS = 100;

        public KeepAlive {
            Check.range("kas", granularity, 1, 65_535);
            Check.range("min_kato", minMillis, 1, MAX_U32);
            long unit = (long) granularity * UNIT_MILLIS;
            minMillis = (minMillis + unit - 1) / unit * unit;
        }
    }

    private static final long MAX_U32 = 0xFFFFFFFFL;
    /// CAP.MQES is one less, in 16 bits.
    private static final int MAX_QUEUE_DEPTH = 65_535;
    private static final int MAX_IO_QUEUE_PAIRS = 65_534;
    /// NVMe over Fabrics 1.1, 3.3: an admin queue has 32 entries at least.
    private static final int MIN_ADMIN_QUEUE_DEPTH = 32;
    private static final int MAX_ADMIN_QUEUE_DEPTH = 4096;
    private static final long MIN_IO_SIZE = 8192;
    private static final long MAX_IO_SIZE = 16 << 20;
    /// IOCCSZ counts capsules in these.
    private static final int CAPSULE_UNIT = 16;

    public TransportOptions {
        Check.range("max_queue_depth", maxQueueDepth, 2, MAX_QUEUE_DEPTH);
        Check.range("max_io_qpairs_per_ctrlr", maxIoQueuePairs, 1, MAX_IO_QUEUE_PAIRS);
        Check.range("max_io_size", maxIoSize, MIN_IO_SIZE, MAX_IO_SIZE);
        if (Long.bitCount(maxIoSize) != 1) {
            throw new IllegalArgumentException("max_io_size=" + maxIoSize + " is no power of two; one in "
                    + MIN_IO_SIZE + ".." + MAX_IO_SIZE + " is needed");
        }
        Check.range("in_capsule_data_size", inCapsuleDataSize, 0, maxIoSize);
        if (inCapsuleDataSize % CAPSULE_UNIT != 0) {
            throw new IllegalArgumentException("in_capsule_data_size=" + inCapsuleDataSize + " is no multiple of "
                    + CAPSULE_UNIT);
        }
        Check.range("max_aq_depth", maxAdminQueueDepth, MIN_ADMIN_QUEUE_DEPTH, MAX_ADMIN_QUEUE_DEPTH);
        maskedOncs = Set.copyOf(maskedOncs);
        maskedFuses = Set.copyOf(maskedFuses);
    }

    /// These, but that devices' own buffers are used, or not.
    public TransportOptions withZeroCopy(boolean wanted) {
        return new TransportOptions(maxQueueDepth, maxIoQueuePairs, inCapsuleDataSize, maxIoSize, maxAdminQueueDepth,
                new Buffers(buffers.smallCache(), buffers.largeCache(), buffers.difInsertOrStrip(), wanted),
                abortTimeoutSeconds, acceptorPollMicros, ackTimeout, dataWrPoolSize, commandPassthruDisabled, keepAlive,
                maskedOncs, maskedFuses, extras);
    }

    /// As the peer's TCP transport has them.
    public static final TransportOptions DEFAULT = new TransportOptions(128, 127, 4096, 131_072, 128,
            new Buffers(Buffers.CACHE_OF_THE_POOLS, Buffers.CACHE_OF_THE_POOLS, false, false), 1, 10_000, 0, 0, false,
            new KeepAlive(100, 10_000), Set.of(),
            Set.of(), TransportExtras.NONE);
}
