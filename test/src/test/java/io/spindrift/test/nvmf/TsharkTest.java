package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What goes over the network, as tshark understands it.
@Timeout(120)
class TsharkTest {
    @TempDir
    Path folder;
    private LiveTarget target;
    private Path capture;
    private Process dumpcap;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Stream.of("/usr/bin/tshark", "/usr/bin/dumpcap").allMatch(file -> Files.isExecutable(Path.of(file))),
                "tshark is not installed: apt-get install tshark");
        target = LiveTarget.start();
        capture = folder.resolve("session.pcapng");
        dumpcap = new ProcessBuilder("dumpcap", "-q", "-i", "lo", "-f", "tcp port " + target.port, "-w",
                capture.toString()).redirectErrorStream(true).start();
        BufferedReader said = dumpcap.inputReader();
        List<String> lines = new ArrayList<>();
        String line = said.readLine();
        while (line != null && !line.startsWith("File:")) { // by then it captures
            lines.add(line);
            line = said.readLine();
        }
        assumeTrue(line != null, "dumpcap may not capture here: " + String.join(" ", lines));
    }

    @AfterEach
    void stop() throws Exception {
        if (dumpcap != null) {
            dumpcap.destroy();
            dumpcap.waitFor();
        }
        if (target != null) {
            target.stop();
        }
    }

    // ---- the session ------------------------------------------------------------------------------------------

    private void discover(boolean headerDigest, boolean dataDigest) throws IOException {
        try (TcpHost host = new TcpHost(target.port).initialize(headerDigest, dataDigest)) {
            LiveTarget.enable(host, Nqn.DISCOVERY, new int[1]);
            MemorySegment sqe = LiveTarget.sqe();
            SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_LOG_PAGE, host.nextCid(), 0);
            GetLogPageCommand.set(sqe, 0, Lid.DISCOVERY, 0, 0, 3072, true);
            assertEquals(0, host.execute(sqe, new byte[0], false, 3072).status());
        }
    }

    private void transfer(boolean headerDigest, boolean dataDigest) throws IOException {
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(headerDigest, dataDigest, cntlid);
                TcpHost io = target.io(1, cntlid[0], headerDigest, dataDigest)) {
            MemorySegment sqe = LiveTarget.sqe();
            SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.IDENTIFY, admin.nextCid(), 0);
            IdentifyCommand.set(sqe, 0, Cns.CONTROLLER, 0, 0);
            assertEquals(0, admin.execute(sqe, new byte[0], false, 4096).status());
            for (int bytes : new int[]{512, 4096, 8192, 131_072}) {
                byte[] data = new byte[bytes];
                Arrays.fill(data, (byte) bytes);
                assertEquals(0, LiveTarget.write(io, 0, data, bytes <= 4096).status());
                assertArrayEquals(data, LiveTarget.read(io, 0, bytes).data());
            }
            LiveTarget.assertAlive(admin);
        }
    }

    /// Either end has the connection terminated; the last PDU is the target's.
    private void terminate(boolean headerDigest, boolean dataDigest) throws IOException {
        try (TcpHost host = new TcpHost(target.port).initialize(headerDigest, dataDigest)) {
            TermReq.write(host.memory(), 0, PduType.H2C_TERM_REQ, TermReq.FES_PDU_SEQUENCE_ERROR, 0, PduHeader.SIZE);
            PduHeader.write(host.memory(), TermReq.SIZE, PduType.CAPSULE_RESP, 0, 24, 0, 24);
            host.send(TermReq.SIZE + PduHeader.SIZE);
            assertNull(host.receive());
        }
        try (TcpHost host = new TcpHost(target.port).initialize(headerDigest, dataDigest)) {
            IcReq.write(host.memory(), 0, 0, 0, 0);
            host.send(IcReq.SIZE);
            assertEquals(PduType.C2H_TERM_REQ, PduHeader.type(host.receive(), 0));
        }
    }

    // ---- what tshark says -------------------------------------------------------------------------------------

    private List<String> tshark(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString(), "-d",
                "tcp.port==" + target.port + ",nvme-tcp"));
        command.addAll(List.of(options));
        Path out = folder.resolve("tshark.out");
        Process tshark = new ProcessBuilder(command).redirectOutput(out.toFile())
                .redirectError(folder.resolve("tshark.err").toFile()).start();
        assertTrue(tshark.waitFor(60, TimeUnit.SECONDS), "tshark does not end");
        return Files.readAllLines(out);
    }

    /// Until the last PDU, a terminate request of the target, is in the file: dumpcap writes in its own time.
    private void awaitCapture() throws Exception {
        while (tshark("-Y", "nvme-tcp.type == 3", "-T", "fields", "-e", "nvme-tcp.type").isEmpty()) {
            assertTrue(dumpcap.isAlive(), "dumpcap has ended");
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void everyPduIsUnderstood(boolean headerDigest, boolean dataDigest) throws Exception {
        discover(headerDigest, dataDigest);
        transfer(headerDigest, dataDigest);
        terminate(headerDigest, dataDigest);
        awaitCapture();
        assertEquals(List.of(), tshark("-Y", "_ws.malformed || _ws.expert.severity == error"));
        TreeSet<Integer> types = new TreeSet<>();
        for (String line : tshark("-Y", "nvme-tcp", "-T", "fields", "-e", "nvme-tcp.type")) {
            for (String type : line.split(",")) {
                types.add(Integer.decode(type));
            }
        }
        assertEquals("[0, 1, 2, 3, 4, 5, 6, 7, 9]", types.toString(), "every type of PDU there is");
        assertEquals(List.of(), digests("hdgst", "Bad"));
        assertEquals(List.of(), digests("ddgst", "Bad"));
        assertEquals(headerDigest, !digests("hdgst", "Good").isEmpty(), "header digests are checked");
        assertEquals(dataDigest, !digests("ddgst", "Good").isEmpty(), "data digests are checked");
    }

    private List<String> digests(String which, String status) throws Exception {
        return tshark("-o", "nvme-tcp.check_" + which + ":TRUE", "-Y",
                "nvme-tcp." + which + ".status == \"" + status + "\"");
    }
}
