package io.spindrift.bdev.nvme;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevIo;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.nvme.NvmeCompletion;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import java.util.Arrays;

/// What an I/O costs through the bdev and through the driver alone, over a transport that completes at once: for the
/// benchmark `bdev-nvme`. Random reads of a block, 16 at a time, measured in turns in one JVM.
final class NvmeBdevCost {
    private static final int DEPTH = 16;
    private static final int WARM_UP = 5;
    private static final int ROUNDS = 15;
    private static final long PER_ROUND = 4_000_000;

    private final NvmeBdevFixture nvme = new NvmeBdevFixture();
    private final Reactor core = nvme.manual.reactors().reactor(0);
    private final IoVector data = new IoVector(1);
    private final BdevCompletion bdevCompletion = this::bdevCompleted;
    private final NvmeCompletion driverCompletion = this::driverCompleted;
    private final BdevChannel channel;
    private final QueuePair queue;
    private boolean throughBdev;
    private long left;
    private long seed = 1;

    private NvmeBdevCost() throws Exception {
        nvme.attach("a", "");
        data.set(nvme.memory.allocate("bench", 4096), 0, 4096);
        NvmeBdevFixture.Opened bdev = nvme.open();
        bdev.read();
        channel = bdev.channel;
        NvmeBdev backend = (NvmeBdev) bdev.bdev().backend();
        queue = nvme.control(() -> backend.paths().getFirst().path().controller().connectQueuePair(nvme.thread,
                QueuePairListener.IGNORE));
    }

    private long block() {
        seed = seed * 6364136223846793005L + 1442695040888963407L;
        return (seed >>> 33) % 1000;
    }

    private void bdevCompleted(BdevIo io) {
        if (left-- > 0) {
            channel.read(data, block(), 1, bdevCompletion);
        }
    }

    private void driverCompleted(NvmeRequest request) {
        request.release();
        if (left-- > 0) {
            submit();
        }
    }

    private void submit() {
        NvmeRequest request = queue.acquire();
        request.read(1, block(), 1, 0, data);
        request.submit(driverCompletion);
    }

    /// Nanoseconds for each I/O.
    private double round(boolean bdev) {
        throughBdev = bdev;
        left = PER_ROUND;
        nvme.manual.run(nvme.thread, this::begin);
        long began = System.nanoTime();
        long first = left;
        while (left > 0) {
            core.drive();
        }
        double nanos = (double) (System.nanoTime() - began) / (first - left);
        nvme.manual.settle();
        return nanos;
    }

    private void begin() {
        for (int i = 0; i < DEPTH; i++) {
            if (throughBdev) {
                channel.read(data, block(), 1, bdevCompletion);
            } else {
                submit();
            }
        }
    }

    /// Prints one line: ns an I/O through the driver, through the bdev, and the median of the rounds' differences.
    public static void main(String[] args) throws Exception {
        NvmeBdevCost cost = new NvmeBdevCost();
        double[] driver = new double[ROUNDS];
        double[] bdev = new double[ROUNDS];
        double[] own = new double[ROUNDS];
        for (int i = -WARM_UP; i < ROUNDS; i++) {
            double one = cost.round(i % 2 == 0);
            double other = cost.round(i % 2 != 0);
            if (i >= 0) {
                bdev[i] = i % 2 == 0 ? one : other;
                driver[i] = i % 2 == 0 ? other : one;
                own[i] = bdev[i] - driver[i];
            }
        }
        System.out.printf("%.1f %.1f %.1f%n", median(driver), median(bdev), median(own));
        System.exit(0);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
