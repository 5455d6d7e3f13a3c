package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.ConnectResponse;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two connections in our bytes, an admin queue without digests and an I/O queue with both, as tshark understands them.
class TsharkTest {
    private static final int ADMIN = 50_000;
    private static final int IO = 50_001;
    /// tshark 4.0 looks for in-capsule data where the header ends, not at PDO: no padding here.
    private static final int DWORDS = PduRules.alignment(0);
    private static final byte[] NONE = {};

    private final Capture capture = new Capture();
    private final MemorySegment pdu = MemorySegment.ofArray(new byte[128]);

    /// type, flags, hlen, pdo and plen of each frame.
    private static final String HEADERS = """
            0 0x00 128 0 128
            1 0x00 128 0 128
            4 0x00 72 72 1096
            5 0x00 24 0 24
            4 0x00 72 0 72
            5 0x00 24 0 24
            4 0x00 72 0 72
            5 0x00 24 0 24
            4 0x00 72 0 72
            7 0x0c 24 24 4120
            0 0x00 128 0 128
            1 0x00 128 0 128
            4 0x03 72 76 1104
            5 0x01 24 0 28
            4 0x01 72 0 76
            9 0x01 24 0 28
            6 0x07 24 28 544
            5 0x01 24 0 28
            3 0x00 24 0 32
            """;

    /// Frame, field and value. Of a digest, status 1 is that it was checked and is right.
    private static final String FIELDS = """
            1 nvme-tcp.icreq.maxr2t 0
            2 nvme-tcp.icresp.maxdata 131072
            3 nvme.fabrics.cmd.connect.qid 0
            3 nvme.fabrics.cmd.connect.kato 120000
            3 nvme.fabrics.cmd.connect.data.cntrlid 0xffff
            3 nvme.fabrics.cmd.connect.data.hostid 00000000000000010000000000000002
            3 nvme.fabrics.cmd.connect.data.subnqn nqn.2016-06.io.spdk:cnode1
            3 nvme.fabrics.cmd.connect.data.hostnqn nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0001-0000-000000000002
            4 nvme.fabrics.cqe.connect.cntrlid 0x0021
            6 nvme.fabrics.prop_get.ccap.mqes 127
            6 nvme.fabrics.prop_get.ccap.cqr 1
            6 nvme.fabrics.prop_get.ccap.css 1
            7 nvme.fabrics.prop_get_set.cc.en 0x00000001
            7 nvme.fabrics.prop_get_set.cc.iosqes 6
            7 nvme.fabrics.prop_get_set.cc.iocqes 4
            9 nvme.cmd.opc 0x06
            9 nvme.cmd.identify.dword10.cns 0x00000001
            10 nvme-tcp.data.length 4096
            10 nvme.cmd.identify.ctrl.vid 0x8086
            10 nvme.cmd.identify.ctrl.sn SERIAL1
            10 nvme.cmd.identify.ctrl.mdts 5
            10 nvme.cmd.identify.ctrl.cntlid 0x0021
            10 nvme.cmd.identify.ctrl.kas 100
            10 nvme.cmd.identify.ctrl.maxcmd 128
            10 nvme.cmd.identify.ctrl.nn 32
            10 nvme.cmd.identify.ctrl.oncs 0x0021
            10 nvme.cmd.identify.ctrl.subnqn nqn.2016-06.io.spdk:cnode1
            10 nvme.cmd.identify.ctrl.nvmeof.ioccsz 260
            11 nvme-tcp.icreq.hpda 1
            11 nvme-tcp.icreq.digest 3
            12 nvme-tcp.icresp.digest 3
            12 nvme-tcp.icresp.maxdata 8192
            13 nvme-tcp.hdgst.status 1
            13 nvme-tcp.ddgst.status 1
            13 nvme.fabrics.cmd.connect.qid 1
            13 nvme.fabrics.cmd.connect.data.cntrlid 0x0021
            14 nvme-tcp.hdgst.status 1
            15 nvme-tcp.hdgst.status 1
            15 nvme.cmd.opc 0x01
            15 nvme.cmd.cid 0x0005
            15 nvme.cmd.nsid 0x00000001
            15 nvme.cmd.psdt 0x01
            15 nvme.cmd.sgl.type 0x05
            15 nvme.cmd.sgl.subtype 0x0a
            15 nvme.cmd.slba 0x0000000100000002
            15 nvme.cmd.nlb 1
            16 nvme-tcp.hdgst.status 1
            16 nvme-tcp.ttag 0x0077
            16 nvme-tcp.r2t.offset 0
            16 nvme-tcp.r2t.length 512
            17 nvme-tcp.hdgst.status 1
            17 nvme-tcp.ddgst.status 1
            17 nvme-tcp.ttag 0x0077
            17 nvme-tcp.data.offset 0
            17 nvme-tcp.data.length 512
            18 nvme-tcp.hdgst.status 1
            18 nvme.cqe.cid 0x0005
            18 nvme.cqe.sqhd 0x0001
            18 nvme.cqe.status.sct 0x0000
            18 nvme.cqe.status.sc 0x0080
            18 nvme.cqe.status.dnr 1
            19 nvme-tcp.c2htermreq.fes 0x0001
            19 nvme-tcp.c2htermreq.phfo 0x00000004
            """;

    @TempDir
    Path directory;

    @Test
    void understandsBothConnections() throws Exception {
        assumeTrue(hasTshark(), "no tshark to decode PDUs: install tshark");
        adminQueue();
        ioQueue();
        List<Map<String, String>> frames = decode(capture.write(directory.resolve("session.pcap")));
        assertEquals(List.of(), frames.stream().filter(frame -> frame.containsKey("_ws.malformed")).toList());
        assertEquals(HEADERS, frames.stream().map(frame -> Stream.of("type", "flags", "hlen", "pdo", "plen")
                .map(field -> frame.get("nvme-tcp." + field)).collect(Collectors.joining(" ", "", "\n")))
                .collect(Collectors.joining()));
        assertEquals(FIELDS, FIELDS.lines().map(line -> line.split(" "))
                .map(words -> words[0] + " " + words[1] + " "
                        + frames.get(Integer.parseInt(words[0]) - 1).get(words[1]))
                .collect(Collectors.joining("\n", "", "\n")));
    }

    private void adminQueue() {
        IcReq.write(pdu, 0, 0, 0, 0);
        send(ADMIN, true, IcReq.SIZE);
        IcResp.write(pdu, 0, 0, 0, 131_072);
        send(ADMIN, false, IcResp.SIZE);
        connect(ADMIN, 0, false);
        respond(ADMIN, false, ConnectResponse.success(0x21, 0), 0, 1, 0);
        PropertyCommand.get(pdu, CapsuleCmd.SQE, 2, ControllerProperty.CAP, 8);
        command(ADMIN, false);
        long cap = Cap.of(127, 30, 0, 0, 0) | Cap.CQR | Cap.CSS_NVM;
        respond(ADMIN, false, (int) cap, (int) (cap >>> 32), 2, 0);
        PropertyCommand.set(pdu, CapsuleCmd.SQE, 3, ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        command(ADMIN, false);
        respond(ADMIN, false, 0, 0, 3, 0);
        SubmissionQueueEntry.begin(pdu, CapsuleCmd.SQE, AdminOpcode.IDENTIFY, 4, 0);
        SubmissionQueueEntry.psdt(pdu, CapsuleCmd.SQE, SubmissionQueueEntry.PSDT_SGL);
        IdentifyCommand.set(pdu, CapsuleCmd.SQE, Cns.CONTROLLER, 0, 0);
        SglDescriptor.transportDataBlock(pdu, CapsuleCmd.SQE + SubmissionQueueEntry.DPTR, IdentifyController.SIZE);
        command(ADMIN, false);
        C2HData.write(pdu, 0, false, false, DWORDS, PduHeader.LAST_PDU | PduHeader.SUCCESS, 4, 0,
                IdentifyController.SIZE);
        capture.add(ADMIN, false, Capture.pdu(pdu, C2HData.SIZE, false, PduHeader.pdo(pdu, 0), controller(), false));
    }

    private void ioQueue() {
        IcReq.write(pdu, 0, 1, IcReq.HDGST_ENABLE | IcReq.DDGST_ENABLE, 0);
        send(IO, true, IcReq.SIZE);
        IcResp.write(pdu, 0, 0, IcReq.HDGST_ENABLE | IcReq.DDGST_ENABLE, 8192);
        send(IO, false, IcResp.SIZE);
        connect(IO, 1, true);
        respond(IO, true, ConnectResponse.success(0x21, 0), 0, 1, 0);
        SubmissionQueueEntry.begin(pdu, CapsuleCmd.SQE, NvmOpcode.WRITE, 5, 1);
        SubmissionQueueEntry.psdt(pdu, CapsuleCmd.SQE, SubmissionQueueEntry.PSDT_SGL);
        LbaCommand.set(pdu, CapsuleCmd.SQE, 0x1_0000_0002L, 1, 0);
        SglDescriptor.transportDataBlock(pdu, CapsuleCmd.SQE + SubmissionQueueEntry.DPTR, 512);
        command(IO, true);
        R2T.write(pdu, 0, true, 5, 0x77, 0, 512);
        capture.add(IO, false, Capture.pdu(pdu, R2T.SIZE, true, 0, NONE, false));
        H2CData.write(pdu, 0, true, true, DWORDS, true, 5, 0x77, 0, 512);
        capture.add(IO, true, Capture.pdu(pdu, H2CData.SIZE, true, PduHeader.pdo(pdu, 0), new byte[512], true));
        respond(IO, true, 0, 0, 5, Status.withDnr(GenericStatus.LBA_OUT_OF_RANGE));
        TermReq.write(pdu, 0, PduType.C2H_TERM_REQ, TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PLEN, 8);
        capture.add(IO, false, Capture.pdu(pdu, TermReq.SIZE, false, TermReq.SIZE, new byte[8], false));
    }

    private void connect(int port, int qid, boolean digests) {
        ConnectCommand.write(pdu, CapsuleCmd.SQE, 1, qid, 128, 0, 120_000);
        SglDescriptor.inCapsule(pdu, CapsuleCmd.SQE + SubmissionQueueEntry.DPTR, 0, ConnectData.SIZE);
        CapsuleCmd.write(pdu, 0, digests, digests, DWORDS, ConnectData.SIZE);
        MemorySegment data = MemorySegment.ofArray(new byte[ConnectData.SIZE]);
        WireUuid.write(data, 0, new UUID(1, 2));
        ConnectData.CNTLID.set(data, 0, qid == 0 ? ConnectData.CNTLID_DYNAMIC : 0x21);
        ConnectData.SUBNQN.set(data, 0, "nqn.2016-06.io.spdk:cnode1");
        ConnectData.HOSTNQN.set(data, 0, Nqn.of(new UUID(1, 2)));
        byte[] bytes = (byte[]) data.heapBase().orElseThrow();
        capture.add(port, true, Capture.pdu(pdu, CapsuleCmd.SIZE, digests, PduHeader.pdo(pdu, 0), bytes, digests));
    }

    private static byte[] controller() {
        MemorySegment page = MemorySegment.ofArray(new byte[IdentifyController.SIZE]);
        IdentifyController.VID.set(page, 0, 0x8086);
        IdentifyController.SN.set(page, 0, "SERIAL1");
        IdentifyController.MN.set(page, 0, "Spindrift");
        IdentifyController.MDTS.set(page, 0, 5);
        IdentifyController.CNTLID.set(page, 0, 0x21);
        IdentifyController.KAS.set(page, 0, 100);
        IdentifyController.MAXCMD.set(page, 0, 128);
        IdentifyController.NN.set(page, 0, 32);
        IdentifyController.ONCS.set(page, 0, ControllerBits.ONCS_COMPARE | ControllerBits.ONCS_RESERVATIONS);
        IdentifyController.SUBNQN.set(page, 0, "nqn.2016-06.io.spdk:cnode1");
        IdentifyController.IOCCSZ.set(page, 0, 260);
        return (byte[]) page.heapBase().orElseThrow();
    }

    private void send(int port, boolean fromHost, int hlen) {
        capture.add(port, fromHost, Capture.pdu(pdu, hlen, false, 0, NONE, false));
    }

    private void command(int port, boolean digests) {
        CapsuleCmd.write(pdu, 0, digests);
        capture.add(port, true, Capture.pdu(pdu, CapsuleCmd.SIZE, digests, 0, NONE, digests));
    }

    private void respond(int port, boolean digests, int dw0, int dw1, int cid, int status) {
        CapsuleResp.write(pdu, 0, digests);
        CompletionQueueEntry.write(pdu, CapsuleResp.CQE, dw0, dw1, 1, 0, cid, status);
        capture.add(port, false, Capture.pdu(pdu, CapsuleResp.SIZE, digests, 0, NONE, digests));
    }

    /// What tshark found in each frame: names of fields and their values.
    private static List<Map<String, String>> decode(Path file) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString(), "-o",
                "nvme-tcp.check_hdgst:TRUE", "-o", "nvme-tcp.check_ddgst:TRUE", "-T", "fields", "-E", "header=y"));
        Stream<String> headers = Stream.of("_ws.malformed", "nvme-tcp.type", "nvme-tcp.flags", "nvme-tcp.hlen",
                "nvme-tcp.pdo", "nvme-tcp.plen");
        Stream.concat(headers, FIELDS.lines().map(line -> line.split(" ")[1])).distinct()
                .forEach(field -> command.addAll(List.of("-e", field)));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<String> lines = new String(process.getInputStream().readAllBytes()).lines().toList();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "tshark takes too long");
        assertEquals(0, process.exitValue(), lines.toString());
        String[] names = lines.getFirst().split("\t");
        return lines.stream().skip(1).map(line -> frame(names, line.split("\t", -1))).toList();
    }

    private static Map<String, String> frame(String[] names, String[] values) {
        Map<String, String> frame = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            if (!values[i].isEmpty()) {
                frame.put(names[i], values[i].strip());
            }
        }
        return frame;
    }

    private static boolean hasTshark() throws InterruptedException {
        try {
            return new ProcessBuilder("tshark", "-v").redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
