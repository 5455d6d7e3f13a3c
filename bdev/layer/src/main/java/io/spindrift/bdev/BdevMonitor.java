package io.spindrift.bdev;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// What is known of the I/O on the devices of an application: statistics, latency histograms, queue depths.
///
/// Counted by each channel on its own thread; gathered here, from control threads. What a channel has counted is kept
/// when it goes.
public final class BdevMonitor {
    private final Map<Bdev, BdevStatistics> retired = new ConcurrentHashMap<>();
    private final Map<Bdev, LatencyHistogram> histograms = new ConcurrentHashMap<>();
    private final Map<Bdev, QueueDepthSampler> samplers = new ConcurrentHashMap<>();

    BdevMonitor() {}

    // ---- statistics -------------------------------------------------------------------------------------------

    /// What was done on `bdev` since it appeared, or since the last reset.
    public BdevStatistics statistics(Bdev bdev) {
        return statistics(bdev, StatisticsReset.NONE);
    }

    /// The same, then sets back what `reset` says.
    public BdevStatistics statistics(Bdev bdev, StatisticsReset reset) {
        BdevStatistics sum = new BdevStatistics();
        BdevStatistics past = retired.get(bdev);
        if (past != null) {
            synchronized (past) {
                sum.add(past);
                past.reset(reset);
            }
        }
        for (BdevDescriptor descriptor : bdev.descriptors) {
            descriptor.visitChannels(channel -> {
                BdevStatistics own = channel.counters().statistics();
                channel.counters().reset(reset);
                sum.add(own); // one channel after the other
            });
        }
        return sum;
    }

    /// What was done through the channels that exist, summed by thread id.
    public Map<Long, BdevStatistics> statisticsByThread(Bdev bdev, StatisticsReset reset) {
        Map<Long, BdevStatistics> sums = new TreeMap<>();
        for (BdevDescriptor descriptor : bdev.descriptors) {
            descriptor.visitChannels(channel -> {
                BdevStatistics own = channel.counters().statistics();
                channel.counters().reset(reset);
                sums.computeIfAbsent(channel.thread().id(), id -> new BdevStatistics()).add(own);
            });
        }
        return sums;
    }

    /// A channel of `bdev` goes; on its thread.
    void retired(BdevChannel channel) {
        BdevStatistics past = retired.computeIfAbsent(channel.bdev(), key -> new BdevStatistics());
        synchronized (past) {
            past.add(channel.counters().statistics());
        }
        LatencyHistogram kept = histograms.get(channel.bdev());
        channel.counters().histogram().filter(own -> kept != null && own.spec() == kept.spec()).ifPresent(own -> {
            synchronized (kept) {
                kept.add(own);
            }
        });
    }

    // ---- histograms -------------------------------------------------------------------------------------------

    /// Begins to count latencies of `bdev`, from zero.
    void enableHistogram(Bdev bdev, LatencyHistogram.Spec spec) {
        histograms.put(bdev, new LatencyHistogram(spec));
        forEachChannel(bdev, channel -> channel.countLatencies(Optional.of(new LatencyHistogram(spec))));
    }

    void disableHistogram(Bdev bdev) {
        histograms.remove(bdev);
        forEachChannel(bdev, channel -> channel.countLatencies(Optional.empty()));
    }

    /// What was counted since it was enabled; nothing if it is not.
    Optional<LatencyHistogram> histogram(Bdev bdev) {
        LatencyHistogram kept = histograms.get(bdev);
        if (kept == null) {
            return Optional.empty();
        }
        LatencyHistogram sum = new LatencyHistogram(kept.spec());
        synchronized (kept) {
            sum.add(kept);
        }
        // One channel after the other, each before the next is asked: no two add at once.
        forEachChannel(bdev, channel -> channel.counters().histogram().filter(own -> own.spec() == kept.spec())
                .ifPresent(sum::add));
        return Optional.of(sum);
    }

    /// What a new channel of `bdev` is to count with.
    Optional<LatencyHistogram> newHistogram(Bdev bdev) {
        return Optional.ofNullable(histograms.get(bdev)).map(kept -> new LatencyHistogram(kept.spec()));
    }

    private static void forEachChannel(Bdev bdev, java.util.function.Consumer<BdevChannel> action) {
        List<BdevDescriptor> descriptors = new ArrayList<>(bdev.descriptors);
        descriptors.forEach(descriptor -> descriptor.visitChannels(action));
    }

    // ---- queue depth ------------------------------------------------------------------------------------------

    /// Samples the queue depth of `bdev` every `periodMicros`; 0 ends it.
    synchronized void sampleQueueDepth(Bdev bdev, long periodMicros) {
        QueueDepthSampler old = samplers.remove(bdev);
        if (old != null) {
            old.stop();
        }
        if (periodMicros > 0) {
            samplers.put(bdev, QueueDepthSampler.start(bdev, periodMicros));
        }
    }

    Optional<QueueDepthSampler> sampler(Bdev bdev) {
        return Optional.ofNullable(samplers.get(bdev));
    }

    /// `bdev` is gone.
    void forget(Bdev bdev) {
        sampleQueueDepth(bdev, 0);
        retired.remove(bdev);
        histograms.remove(bdev);
    }
}
