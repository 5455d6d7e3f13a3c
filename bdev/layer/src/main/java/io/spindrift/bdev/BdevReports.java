package io.spindrift.bdev;

import io.spindrift.bdev.dif.Dif;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The results of the block layer's RPCs, in the shapes that tools read.
final class BdevReports {
    private static final long TICK_RATE = 1_000_000_000L;
    private static final List<Integer> LISTED_TYPES = List.of(BdevIoType.READ, BdevIoType.WRITE, BdevIoType.UNMAP,
            BdevIoType.FLUSH, BdevIoType.RESET, BdevIoType.NVME_ADMIN, BdevIoType.NVME_IO);

    private BdevReports() {}

    // ---- bdev_get_bdevs ---------------------------------------------------------------------------------------

    static Map<String, Object> bdev(Bdev bdev) {
        BdevGeometry geometry = bdev.geometry();
        BdevGeometry.IoHints hints = geometry.hints();
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("name", bdev.name());
        info.put("aliases", bdev.aliases());
        info.put("product_name", bdev.productName());
        info.put("block_size", geometry.blockSize());
        info.put("num_blocks", bdev.numBlocks());
        info.put("preferred_write_alignment", hints.preferredWriteAlignment());
        info.put("preferred_write_granularity", hints.preferredWriteGranularity());
        info.put("optimal_write_size", hints.optimalWriteSize());
        info.put("preferred_unmap_alignment", hints.preferredUnmapAlignment());
        info.put("preferred_unmap_granularity", hints.preferredUnmapGranularity());
        info.put("uuid", bdev.uuid().toString());
        bdev.backend().numaId().ifPresent(id -> info.put("numa_id", id));
        if (geometry.metadataSize() > 0) {
            metadata(geometry, info);
        }
        Map<String, Object> limits = new LinkedHashMap<>();
        List.of("rw_ios_per_sec", "rw_mbytes_per_sec", "r_mbytes_per_sec", "w_mbytes_per_sec")
                .forEach(limit -> limits.put(limit, 0));
        info.put("assigned_rate_limits", limits);
        info.put("claimed", bdev.claimType() != ClaimType.NONE);
        if (bdev.claimType() != ClaimType.NONE) {
            info.put("claim_type", bdev.claimType().text());
        }
        info.put("zoned", false);
        info.put("supported_io_types", supported(bdev));
        info.put("driver_specific", bdev.backend().driverSpecific(bdev));
        return info;
    }

    private static void metadata(BdevGeometry geometry, Map<String, Object> info) {
        info.put("md_size", geometry.metadataSize());
        info.put("md_interleave", geometry.metadataInterleaved());
        info.put("dif_type", geometry.difType());
        if (geometry.difType() != 0) {
            info.put("dif_is_head_of_md", geometry.difHeadOfMetadata());
            Map<String, Object> checks = new LinkedHashMap<>();
            checks.put("reftag", (geometry.difCheckFlags() & Dif.CHECK_REFERENCE_TAG) != 0);
            checks.put("apptag", (geometry.difCheckFlags() & Dif.CHECK_APPLICATION_TAG) != 0);
            checks.put("guard", (geometry.difCheckFlags() & Dif.CHECK_GUARD) != 0);
            info.put("enabled_dif_check_types", checks);
            info.put("dif_pi_format", geometry.difPiFormat());
        }
    }

    /// What the module does itself; of what the core emulates, write-zeroes alone is promised to clients.
    private static Map<String, Object> supported(Bdev bdev) {
        Map<String, Object> types = new LinkedHashMap<>();
        for (int type : LISTED_TYPES) {
            types.put(BdevIoType.name(type), bdev.supportsNatively(type));
        }
        types.put("nvme_io_md", false);
        types.put("write_zeroes", bdev.supports(BdevIoType.WRITE_ZEROES));
        types.put("zcopy", bdev.supportsNatively(BdevIoType.ZCOPY_START));
        types.put("get_zone_info", false);
        types.put("zone_management", false);
        types.put("zone_append", false);
        for (int type : List.of(BdevIoType.COMPARE, BdevIoType.COMPARE_AND_WRITE, BdevIoType.ABORT,
                BdevIoType.SEEK_HOLE, BdevIoType.SEEK_DATA, BdevIoType.COPY)) {
            types.put(BdevIoType.name(type), bdev.supportsNatively(type));
        }
        types.put("nvme_iov_md", false);
        types.put("nvme_nssr", false);
        types.put("write_uncorrectable", false);
        return types;
    }

    // ---- bdev_get_iostat --------------------------------------------------------------------------------------

    static Map<String, Object> statistics(List<Bdev> bdevs, BdevMonitor monitor, StatisticsReset reset) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (Bdev bdev : bdevs) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", bdev.name());
            counters(monitor.statistics(bdev, reset), bdev.blockSize(), entry);
            monitor.sampler(bdev).ifPresent(sampler -> {
                entry.put("queue_depth_polling_period", sampler.periodMicros());
                entry.put("queue_depth", sampler.queueDepth());
                entry.put("io_time", sampler.ioTimeMicros());
                entry.put("weighted_io_time", sampler.weightedIoTimeMicros());
            });
            list.add(entry);
        }
        Map<String, Object> result = clock();
        result.put("bdevs", list);
        return result;
    }

    static Map<String, Object> statisticsByThread(Bdev bdev, BdevMonitor monitor, StatisticsReset reset) {
        List<Map<String, Object>> list = new ArrayList<>();
        monitor.statisticsByThread(bdev, reset).forEach((thread, statistics) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("thread_id", thread);
            counters(statistics, bdev.blockSize(), entry);
            list.add(entry);
        });
        Map<String, Object> result = clock();
        result.put("name", bdev.name());
        result.put("channels", list);
        return result;
    }

    private static Map<String, Object> clock() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("tick_rate", TICK_RATE);
        result.put("ticks", System.nanoTime());
        return result;
    }

    private static void counters(BdevStatistics statistics, int blockSize, Map<String, Object> entry) {
        operations(statistics, BdevIoType.READ, "bytes_read", "num_read_ops", blockSize, entry);
        operations(statistics, BdevIoType.WRITE, "bytes_written", "num_write_ops", blockSize, entry);
        operations(statistics, BdevIoType.UNMAP, "bytes_unmapped", "num_unmap_ops", blockSize, entry);
        operations(statistics, BdevIoType.COPY, "bytes_copied", "num_copy_ops", blockSize, entry);
        for (int type : List.of(BdevIoType.READ, BdevIoType.WRITE, BdevIoType.UNMAP, BdevIoType.COPY)) {
            String name = BdevIoType.name(type);
            entry.put(name + "_latency_ticks", statistics.latencyTicks(type));
            entry.put("max_" + name + "_latency_ticks", statistics.maxLatencyTicks(type));
            entry.put("min_" + name + "_latency_ticks", statistics.minLatencyTicks(type));
        }
        entry.put("io_error", statistics.errors());
    }

    private static void operations(BdevStatistics statistics, int type, String bytes, String operations, int blockSize,
            Map<String, Object> entry) {
        entry.put(bytes, statistics.blocks(type) * blockSize);
        entry.put(operations, statistics.operations(type));
    }

    // ---- histograms -------------------------------------------------------------------------------------------

    static Map<String, Object> histogram(LatencyHistogram histogram) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("histogram", java.util.Base64.getEncoder().encodeToString(histogram.bytes()));
        result.put("granularity", histogram.spec().granularity());
        result.put("min_range", histogram.spec().minRange());
        result.put("max_range", histogram.spec().maxRange());
        result.put("tsc_rate", TICK_RATE);
        return result;
    }

    /// How many latencies were less than each border, and at last how many there were.
    static Map<String, Object> borders(LatencyHistogram histogram, List<Long> borders) {
        List<Long> counts = new ArrayList<>(borders.stream().map(histogram::countBelow).toList());
        counts.add(histogram.total());
        return Map.of("borders_count", counts);
    }
}
