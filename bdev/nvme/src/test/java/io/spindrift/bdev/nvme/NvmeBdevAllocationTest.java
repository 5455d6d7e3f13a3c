package io.spindrift.bdev.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevIo;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Reactor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// I/O through one path or two allocates nothing, and neither does unmapping.
class NvmeBdevAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {OnePath.class, TwoPaths.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// In each turn of a thread a read, a write and an unmap; they complete in the next turn.
    private abstract static class Load implements Runnable, PollFunction {
        private final NvmeBdevFixture nvme = new NvmeBdevFixture();
        private final Reactor core = nvme.manual.reactors().reactor(0);
        private final IoVector data = new IoVector(1);
        private final BdevChannel channel;
        private long submitted;
        private long completed;

        Load(String... traddrs) {
            try {
                for (String traddr : traddrs) {
                    nvme.attach(traddr, "");
                }
                if (traddrs.length > 1) {
                    nvme.call("bdev_nvme_set_multipath_policy", "{'name': 'Nn1', 'policy': 'active_active'}");
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            data.set(nvme.memory.allocate("load", 4096), 0, 4096);
            NvmeBdevFixture.Opened bdev = nvme.open();
            channel = bdev.channel;
            bdev.read();
            nvme.manual.run(nvme.thread, () -> nvme.thread.addPoller("load", this));
        }

        private void completed(BdevIo io) {
            if (io.status() == 0) {
                completed++;
            }
        }

        private final BdevCompletion completion = this::completed;

        @Override
        public void run() {
            core.drive();
            if (submitted - completed > 9) {
                throw new AssertionError(submitted + " I/Os were submitted, " + completed + " succeeded");
            }
        }

        @Override
        public int poll() {
            channel.read(data, 3, 1, completion);
            channel.write(data, 3, 1, completion);
            channel.unmap(3, 1, completion);
            submitted += 3;
            return 3;
        }

        @Override
        public boolean readyToSleep() {
            return false;
        }
    }

    private static final class OnePath extends Load {
        OnePath() {
            super("a");
        }
    }

    private static final class TwoPaths extends Load {
        TwoPaths() {
            super("a", "b");
        }
    }
}
