package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.NvmOpcode;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A host that takes its data slowly, from memory that the disk has lent for them: neither a change of the namespace nor other
/// hosts wait until it has taken all, which would be minutes.
@Timeout(60)
class SlowReaderTest {
    private static final int BYTES = 131_072;

    /// A response every second, until the target has had enough.
    private static void readSlowly(TcpHost host) {
        try {
            while (host.receive() != null) {
                Thread.sleep(1000); // that is what makes it slow
            }
        } catch (IOException _) {
            // the target has ended it
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void keepsNoChangeWaiting() throws Exception {
        LiveTarget target = LiveTarget.start(UnaryOperator.identity(), "{'trtype': 'TCP', 'zcopy': true,"
                + " 'iobuf_small_cache_size': 0, 'iobuf_large_cache_size': 0}");
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(false, false, cntlid);
                TcpHost good = target.io(1, cntlid[0], false, false);
                TcpHost slow = new TcpHost(InetAddress.getLoopbackAddress(), target.port, 4096)
                        .initialize(false, false)) {
            assertEquals(0, slow.connect(2, 128, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid[0]).status());
            for (int i = 0; i < 127; i++) {
                slow.submit(LiveTarget.blocks(slow, NvmOpcode.READ, 0, BYTES), new byte[0], false, BYTES);
            }
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> readSlowly(slow));
            target.program.call("nvmf_subsystem_remove_ns", "{'nqn': '" + LiveTarget.NQN + "', 'nsid': 1}");
            target.program.call("nvmf_subsystem_add_ns",
                    "{'nqn': '" + LiveTarget.NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
            assertEquals(0, LiveTarget.read(good, 0, BYTES).status());
            LiveTarget.assertAlive(admin);
            target.awaitConnections(2);
            slow.reset(); // else it goes on with what its kernel has
            reading.get();
        }
        target.assertNothingIsLeft();
        target.stop();
    }
}
