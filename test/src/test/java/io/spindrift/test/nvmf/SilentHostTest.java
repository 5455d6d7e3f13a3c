package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Hosts that stop in the middle of something: each loses its connection after half a minute.
@Timeout(120)
@Tag("long")
class SilentHostTest extends BesideGoodHost {
    private static final int BYTES = 131_072;

    private static void command(TcpHost host, int opcode) throws IOException {
        MemorySegment sqe = LiveTarget.blocks(host, opcode, 0, BYTES);
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
        SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, BYTES);
        CapsuleCmd.write(host.memory(), 0, false);
        MemorySegment.copy(sqe, 0, host.memory(), CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
        host.send(CapsuleCmd.SIZE);
    }

    /// A byte now and then of a PDU that would take an hour, until the target has had enough.
    private static void drip(TcpHost host) {
        try {
            host.send(CapsuleCmd.SIZE);
            while (true) {
                host.send(1);
                Thread.sleep(500); // that is what makes it a drip
            }
        } catch (IOException _) {
            // the target has ended it
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void hostsThatStopLoseTheirConnections() throws Exception {
        int[] id = new int[1];
        List<TcpHost> silent = new ArrayList<>();
        silent.add(new TcpHost(target.port)); // says nothing
        TcpHost half = new TcpHost(target.port);
        IcReq.write(half.memory(), 0, 0, 0, 0);
        half.send(IcReq.SIZE - 1);
        silent.add(half);
        silent.add(target.connected()); // without Connect
        TcpHost capsule = target.admin(false, false, new int[1]);
        capsule.send(CapsuleCmd.SIZE / 2);
        silent.add(capsule);
        try (TcpHost owner = target.admin(false, false, id)) {
            TcpHost dripping = target.io(1, id[0], false, false);
            CapsuleCmd.write(dripping.memory(), 0, false, false, 4, 8192);
            CompletableFuture<Void> drips = CompletableFuture.runAsync(() -> drip(dripping));
            silent.add(dripping);
            TcpHost withoutData = target.io(2, id[0], false, false);
            command(withoutData, NvmOpcode.WRITE);
            assertEquals(PduType.R2T, PduHeader.type(withoutData.receive(), 0));
            silent.add(withoutData);
            TcpHost deaf = new TcpHost(InetAddress.getLoopbackAddress(), target.port, 4096).initialize(false, false);
            assertEquals(0, deaf.connect(3, 128, LiveTarget.NQN, TcpHost.HOST_NQN, id[0]).status());
            for (int i = 0; i < 127; i++) {
                command(deaf, NvmOpcode.READ);
            }
            silent.add(deaf);
            TcpHost halfFused = target.io(4, id[0], false, false);
            MemorySegment first = LiveTarget.blocks(halfFused, NvmOpcode.COMPARE, 0, LiveTarget.BLOCK);
            SubmissionQueueEntry.fuse(first, 0, SubmissionQueueEntry.FUSE_FIRST);
            halfFused.submit(first, new byte[LiveTarget.BLOCK], true, 0); // and never the second
            silent.add(halfFused);
            target.awaitConnections(3); // the good host's, and the owner of the queues
            LiveTarget.assertAlive(owner);
            drips.get();
        }
        for (TcpHost host : silent) {
            host.close();
        }
    }
}
