package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Hosts that want many more data buffers than there are, for commands that need several each: all get their turn.
@Timeout(60)
class ScarceBuffersTest {
    private static final int QUEUES = 4;
    private static final int LONGEST = 65_536; // four large buffers
    private static final String IOBUF = "{'small_pool_count': 64, 'large_pool_count': 8, 'small_bufsize': 4096,"
            + " 'large_bufsize': 16384}";
    private static final String TRANSPORT = "{'trtype': 'TCP', 'max_io_size': " + LONGEST
            + ", 'iobuf_small_cache_size': 0, 'iobuf_large_cache_size': 0}";

    private static EmbeddedTarget withFewBuffers(CpuMask cores) throws Exception {
        EmbeddedTarget program = EmbeddedTarget.startNvmf(options -> options.cpuMask(cores).waitForRpc(true));
        program.call("iobuf_set_options", IOBUF);
        program.call("framework_start_init");
        return program;
    }

    /// Several hosts have many of the longest commands on their way at once, reads and writes by turns.
    private static void assertAllEnd(CpuMask cores) throws Exception {
        LiveTarget target = new LiveTarget(withFewBuffers(cores), TRANSPORT);
        int[] cntlid = new int[1];
        byte[] data = new byte[LONGEST];
        new Random(5).nextBytes(data);
        try (TcpHost _ = target.admin(false, false, cntlid);
                ExecutorService hosts = Executors.newVirtualThreadPerTaskExecutor()) {
            try (TcpHost first = target.io(QUEUES + 1, cntlid[0], false, false)) {
                assertEquals(0, LiveTarget.write(first, 0, data, false).status());
            }
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 1; i <= QUEUES; i++) {
                int qid = i;
                ends.add(hosts.submit(() -> {
                    try (TcpHost host = target.io(qid, cntlid[0], false, false)) {
                        for (int round = 0; round < 5; round++) {
                            exchange(host, data);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        target.assertNothingIsLeft();
        target.stop();
    }

    private static void exchange(TcpHost host, byte[] data) throws IOException {
        List<MemorySegment> commands = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            boolean reads = i % 4 != 0;
            MemorySegment sqe = LiveTarget.blocks(host, reads ? NvmOpcode.READ : NvmOpcode.WRITE, 0, LONGEST);
            host.submit(sqe, reads ? new byte[0] : data, false, reads ? LONGEST : 0);
            commands.add(sqe);
        }
        for (int i = 0; i < commands.size(); i++) {
            TcpHost.Completion end = host.finish(commands.get(i));
            assertEquals(0, end.status());
            assertArrayEquals(i % 4 != 0 ? data : new byte[0], end.data());
        }
    }

    @Test
    void commandsOfSeveralBuffersDoNotWaitForEachOther() throws Exception {
        assertAllEnd(CpuMask.of(0));
    }

    @Test
    void norDoThoseOfSeveralPollGroups() throws Exception {
        assertAllEnd(CpuMask.of(0, 1));
    }

    /// Of two poll groups each may keep 7 of the 8 that a transfer of 128 KiB needs, and wait for the last.
    @Test
    void aTransportWhoseTransfersCouldUseUpAllBuffersIsRefused() throws Exception {
        try (EmbeddedTarget program = withFewBuffers(CpuMask.of(0, 1))) {
            String refusal = program.refusal("nvmf_create_transport", "{'trtype': 'TCP', 'max_io_size': 131072}")
                    .getMessage();
            assertTrue(refusal.contains("max_io_size=131072") && refusal.contains("large_pool_count=8")
                    && refusal.contains("at least 15"), refusal);
            program.call("nvmf_create_transport", TRANSPORT);
            assertEquals(0, program.stop());
        }
    }
}
