package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A device that writes anything into its completion queue while commands are outstanding: each of these ends once, nothing
/// throws on the reactor, and after a reset the queue pair works as before.
class LyingDeviceTest {
    private static final int ROUNDS = 60;
    private static final int COMMANDS = 16;

    @TempDir
    Path folder;
    private PcieRig rig;

    @BeforeEach
    void build() throws Exception {
        rig = new PcieRig(folder);
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    @Test
    void isSurvivedWhateverItWrites() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        MemoryRegion region = rig.memory.allocate("test", 4096);
        IoVector data = new IoVector(1);
        data.set(region, 0, 4096);
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            rig.device.hold(command -> command.sqid() != 0);
            int[][] outcomes = new int[COMMANDS][];
            for (int i = 0; i < COMMANDS; i++) {
                outcomes[i] = new int[]{-1, 0};
                int[] outcome = outcomes[i];
                rig.reactor.run(queue.thread(), () -> queue.acquire().read(1, 0, 8, 0, data).submit(ended -> {
                    outcome[0] = ended.status();
                    outcome[1]++;
                    ended.release();
                }));
            }
            rig.until(() -> rig.device.held.size() == COMMANDS);

            scribble(random, round);
            for (int i = 0; i < 4; i++) {
                rig.step();
            }
            rig.device.hold(command -> false);
            rig.control(() -> {
                controller.reset();
                return null;
            });

            for (int[] outcome : outcomes) {
                assertEquals(1, outcome[1], "round " + round);
            }
            assertEquals(Status.SUCCESS, rig.run(queue, request -> request.read(1, 0, 8, 0, data)));
            assertEquals(queue.requestCount(), rig.reactor.run(queue.thread(), () -> free(queue)));
        }
        assertEquals(0, rig.reactor.reports().size(), rig.reactor.reports().toString());
    }

    /// All of the queue, or entries with the right phase tag and some right identifiers.
    private void scribble(Random random, int round) {
        FakeQueue completions = rig.device.completionQueues.get(1);
        if (round % 3 == 0) {
            MemorySegment entries = rig.device.vfio.at(completions.iova, 16L * completions.size);
            for (long at = 0; at < entries.byteSize(); at += 8) {
                entries.set(ValueLayout.JAVA_LONG_UNALIGNED, at, random.nextLong());
            }
            return;
        }
        for (int i = random.nextInt(COMMANDS * 2); i >= 0; i--) {
            int cid = random.nextBoolean()
                    ? rig.device.held.get(random.nextInt(COMMANDS)).cid()
                    : random.nextInt(1 << 16);
            rig.device.post(1, random.nextInt(8) == 0 ? random.nextInt(1 << 16) : 1, cid, random.nextInt(1 << 15),
                    random.nextInt());
        }
    }

    /// How many requests can be acquired.
    private static int free(QueuePair queue) {
        var taken = new ArrayList<NvmeRequest>();
        for (var request = queue.acquire(); request != null; request = queue.acquire()) {
            taken.add(request);
        }
        taken.forEach(NvmeRequest::release);
        return taken.size();
    }
}
