package io.spindrift.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvme.tcp.ScriptedTarget.Command;
import io.spindrift.nvme.tcp.ScriptedTarget.Connection;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random answers of a controller end in a status or a lost connection, and write nothing outside of the data asked for.
class HostFuzzTest {
    private static final int MOST_PDUS = 40;
    private static final int LONGEST = 9000;

    @Test
    @Timeout(120)
    void survivesAFewHundredLiars() throws Exception {
        survives(300, 20_261_201);
    }

    @Test
    @Tag("long")
    @Timeout(1800)
    void survivesTensOfThousandsOfLiars() throws Exception {
        survives(30_000, System.nanoTime());
    }

    private static void survives(int connections, long seed) throws Exception {
        Random random = new Random(seed);
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            NvmeController controller = host.connect(target);
            QueuePair queue = host.queue(controller);
            target.onIo(NvmOpcode.READ, (connection, command) -> answer(connection, command, random));
            target.onIo(NvmOpcode.WRITE, (connection, command) -> answer(connection, command, random));
            for (int i = 0; i < connections; i++) {
                try {
                    if (random.nextBoolean()) {
                        host.read(queue, 1 + random.nextInt(16));
                    } else {
                        host.write(queue, 1 + random.nextInt(32));
                    }
                } catch (NvmeException e) {
                    reconnect(controller);
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed + ", connection " + i, e);
                }
            }
            reconnect(controller);
            target.onIo(NvmOpcode.READ, (connection, command) -> connection.data(command, new byte[4096]));
            assertEquals(0, host.read(queue, 8).status(), "seed " + seed);
            host.failures.clear();
        }
    }

    private static void reconnect(NvmeController controller) throws Exception {
        controller.reset();
    }

    /// PDUs that are right but for some of their numbers, and the end of the connection.
    private static void answer(Connection connection, Command command, Random random) throws IOException {
        for (int i = random.nextInt(MOST_PDUS); i >= 0; i--) {
            MemorySegment pdu = MemorySegment.ofArray(new byte[LONGEST + 64]);
            int cid = random.nextInt(8) == 0 ? random.nextInt(65536) : command.cid();
            int length = random.nextInt(4) == 0 ? random.nextInt(LONGEST) : 512 * random.nextInt(9);
            int sent = switch (random.nextInt(10)) {
                case 0 -> {
                    CapsuleResp.write(pdu, 0, false);
                    CompletionQueueEntry.write(pdu, CapsuleResp.CQE, random.nextInt(),
                            random.nextInt(), random.nextInt(), 0, cid, random.nextInt(0x8000));
                    yield CapsuleResp.SIZE;
                }
                case 1, 2 -> {
                    R2T.write(pdu, 0, false, cid, random.nextInt(65536), 512L * random.nextInt(40), length);
                    yield R2T.SIZE;
                }
                case 3 -> {
                    for (int at = 0; at < 24; at++) {
                        pdu.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
                    }
                    PduHeader.write(pdu, 0, 1 + 2 * random.nextInt(5), // odd types are a controller's
                            random.nextInt(16), 24, random.nextInt(32),
                            random.nextInt(LONGEST));
                    yield (int) PduHeader.plen(pdu, 0);
                }
                default -> {
                    C2HData.write(pdu, 0, false, false, 4, random.nextInt(4) << 2, cid,
                            random.nextInt(3) == 0 ? random.nextInt() : 512L * random.nextInt(17), length);
                    yield C2HData.SIZE + length;
                }
            };
            if (random.nextInt(16) == 0) {
                pdu.set(ValueLayout.JAVA_BYTE, random.nextInt(24), (byte) random.nextInt());
            }
            connection.send(pdu.asSlice(0, sent).toArray(ValueLayout.JAVA_BYTE));
        }
        connection.close();
    }
}
