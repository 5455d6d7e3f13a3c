package io.spindrift.nvme.tcp;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.FabricsCommand;
import io.spindrift.nvme.spec.fabrics.Fctype;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.NamespaceList;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.Crc32c;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/// A controller of one namespace of 2,048 blocks of 512 bytes, over TCP with blocking sockets. It keeps the rules until a test
/// tells it what to answer to a command instead.
final class ScriptedTarget implements AutoCloseable {
    /// What is done with a command.
    interface Script {
        void run(Connection connection, Command command) throws IOException;
    }

    /// A capsule: its 64 bytes and its data.
    record Command(MemorySegment sqe, byte[] data) {
        int opcode() {
            return SubmissionQueueEntry.opc(sqe, 0);
        }

        int cid() {
            return SubmissionQueueEntry.cid(sqe, 0);
        }
    }

    static final int BLOCK = 512;
    static final int BLOCKS = 2048;

    final MemorySegment controllerPage = MemorySegment.ofArray(new byte[4096]);
    final MemorySegment namespacePage = MemorySegment.ofArray(new byte[4096]);
    final MemorySegment namespaceList = MemorySegment.ofArray(new byte[4096]);
    byte[] disk = new byte[BLOCK * BLOCKS];
    /// What ICResp is; changed by a test before a connection.
    final MemorySegment icResp = MemorySegment.ofArray(new byte[IcResp.SIZE]);
    long cap = Cap.of(127, 4, 0, 0, 0) | Cap.CQR | Cap.CSS_NVM;
    int cntlid = 1;
    /// What the host has sent as terminate requests: their Fatal Error Status.
    final BlockingQueue<Integer> terminations = new LinkedBlockingQueue<>();
    final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final Map<Integer, Script> admin = new ConcurrentHashMap<>();
    private final Map<Integer, Script> io = new ConcurrentHashMap<>();
    private final ServerSocket server;

    ScriptedTarget() throws IOException {
        server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        IcResp.write(icResp, 0, 0, 0, 8192);
        IdentifyController.SN.set(controllerPage, 0, "S");
        IdentifyController.MN.set(controllerPage, 0, "M");
        IdentifyController.CNTRLTYPE.set(controllerPage, 0, ControllerBits.CNTRLTYPE_IO);
        IdentifyController.VER.set(controllerPage, 0, Version.NVME_1_4);
        IdentifyController.KAS.set(controllerPage, 0, 1);
        IdentifyController.AERL.set(controllerPage, 0, 3);
        IdentifyController.NN.set(controllerPage, 0, 1);
        IdentifyController.MDTS.set(controllerPage, 0, 5);
        IdentifyController.IOCCSZ.set(controllerPage, 0, 4 + 4096 / 16);
        IdentifyController.IORCSZ.set(controllerPage, 0, 1);
        IdentifyNamespace.NSZE.set(namespacePage, 0, BLOCKS);
        IdentifyNamespace.NCAP.set(namespacePage, 0, BLOCKS);
        LbaFormat.LBADS.set(namespacePage, IdentifyNamespace.LBAF.at(0, 0), 9);
        NamespaceList.nsid(namespaceList, 0, 0, 1);
        Thread.ofPlatform().daemon().name("scripted-target").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /// Has an admin command answered by `script`. Before a connection.
    ScriptedTarget onAdmin(int opcode, Script script) {
        admin.put(opcode, script);
        return this;
    }

    /// Has an I/O command answered by `script`.
    ScriptedTarget onIo(int opcode, Script script) {
        io.put(opcode, script);
        return this;
    }

    private void accept() {
        try {
            while (true) {
                Connection connection = new Connection(server.accept());
                connections.add(connection);
                Thread.ofPlatform().daemon().name("scripted-connection").start(connection::serve);
            }
        } catch (IOException e) {
            // closed: the end of it
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Connection connection : connections) {
            connection.close();
        }
    }

    /// One queue.
    final class Connection {
        private final Socket socket;
        private final DataInputStream in;
        private final Crc32c crc = new Crc32c();
        private boolean headerDigest;
        private boolean dataDigest;
        private int qid = -1;
        private int cc;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            socket.setTcpNoDelay(true);
        }

        void close() throws IOException {
            socket.close();
        }

        boolean admin() {
            return qid == 0;
        }

        private void serve() {
            try (socket) {
                in.readFully(new byte[IcReq.SIZE]);
                headerDigest = (IcResp.dgst(icResp, 0) & IcReq.HDGST_ENABLE) != 0;
                dataDigest = (IcResp.dgst(icResp, 0) & IcReq.DDGST_ENABLE) != 0;
                send(icResp.toArray(ValueLayout.JAVA_BYTE));
                while (true) {
                    read();
                }
            } catch (IOException e) {
                // the host has gone, or the test has closed it
            }
        }

        private void read() throws IOException {
            byte[] common = new byte[PduHeader.SIZE];
            in.readFully(common);
            MemorySegment header = MemorySegment.ofArray(common);
            byte[] rest = new byte[(int) PduHeader.plen(header, 0) - PduHeader.SIZE];
            in.readFully(rest);
            switch (PduHeader.type(header, 0)) {
                case PduType.CAPSULE_CMD -> {
                    byte[] sqe = Arrays.copyOf(rest, SubmissionQueueEntry.SIZE);
                    int pdo = PduHeader.pdo(header, 0);
                    int end = rest.length - (pdo > 0 && dataDigest ? PduHeader.DIGEST_SIZE : 0);
                    byte[] data = pdo == 0 ? new byte[0] : Arrays.copyOfRange(rest, pdo - PduHeader.SIZE, end);
                    command(new Command(MemorySegment.ofArray(sqe), data));
                }
                case PduType.H2C_TERM_REQ -> terminations
                        .add(LittleEndian.u16(MemorySegment.ofArray(rest), TermReq.FES - PduHeader.SIZE));
                default -> {
                    // data that a script has asked for, whatever they are
                }
            }
        }

        private void command(Command command) throws IOException {
            if (qid < 0) {
                qid = ConnectCommand.qid(command.sqe, 0);
            }
            Script script = (qid == 0 ? admin : io).get(command.opcode());
            if (script != null && !(command.opcode() == AdminOpcode.FABRICS && qid == 0 && connecting(command))) {
                script.run(this, command);
            } else if (qid == 0 || command.opcode() == AdminOpcode.FABRICS) {
                adminCommand(command);
            } else {
                ioCommand(command);
            }
        }

        private static boolean connecting(Command command) {
            return FabricsCommand.fctype(command.sqe, 0) == Fctype.CONNECT;
        }

        /// Answers as a controller that keeps the rules.
        void adminCommand(Command command) throws IOException {
            switch (command.opcode()) {
                case AdminOpcode.FABRICS -> fabrics(command);
                case AdminOpcode.IDENTIFY -> identify(command);
                case AdminOpcode.GET_LOG_PAGE -> data(command,
                        new byte[(int) GetLogPageCommand.bytes(command.sqe, 0)]);
                case AdminOpcode.SET_FEATURES -> complete(command, 0, 3 | 3 << 16);
                case AdminOpcode.ASYNC_EVENT_REQUEST -> {
                    // held
                }
                default -> complete(command, 0, 0);
            }
        }

        private void fabrics(Command command) throws IOException {
            switch (FabricsCommand.fctype(command.sqe, 0)) {
                case Fctype.CONNECT -> complete(command, 0, cntlid);
                case Fctype.PROPERTY_SET -> {
                    if (PropertyCommand.ofst(command.sqe, 0) == ControllerProperty.CC) {
                        cc = (int) PropertyCommand.value(command.sqe, 0);
                    }
                    complete(command, 0, 0);
                }
                default -> complete(command, 0, switch ((int) PropertyCommand.ofst(command.sqe, 0)) {
                    case ControllerProperty.CAP -> cap;
                    case ControllerProperty.VS -> Version.NVME_1_4;
                    case ControllerProperty.CC -> cc;
                    case ControllerProperty.CSTS -> cc & 1 | (cc >>> 14 & 3) << 3;
                    default -> 0;
                });
            }
        }

        private void identify(Command command) throws IOException {
            MemorySegment page = switch (IdentifyCommand.cns(command.sqe, 0)) {
                case Cns.CONTROLLER -> controllerPage;
                case Cns.NAMESPACE -> namespacePage;
                case Cns.ACTIVE_NAMESPACES -> namespaceList;
                default -> MemorySegment.ofArray(new byte[4096]);
            };
            data(command, page.toArray(ValueLayout.JAVA_BYTE));
        }

        private void ioCommand(Command command) throws IOException {
            int at = (int) LbaCommand.slba(command.sqe, 0) * BLOCK;
            int length = LbaCommand.blocks(command.sqe, 0) * BLOCK;
            switch (command.opcode()) {
                case NvmOpcode.READ -> data(command, Arrays.copyOfRange(disk, at, at + length));
                case NvmOpcode.WRITE -> {
                    System.arraycopy(command.data, 0, disk, at, command.data.length);
                    complete(command, 0, 0);
                }
                default -> complete(command, GenericStatus.INVALID_OPCODE, 0);
            }
        }

        // ---- what it sends ------------------------------------------------------------------------------------

        /// All data in one PDU, then success.
        void data(Command command, byte[] bytes) throws IOException {
            c2hData(command.cid(), 0, bytes, PduHeader.LAST_PDU);
            complete(command, 0, 0);
        }

        void complete(Command command, int status, long result) throws IOException {
            complete(command.cid(), status, result);
        }

        void complete(int cid, int status, long result) throws IOException {
            MemorySegment pdu = memory(CapsuleResp.SIZE);
            CapsuleResp.write(pdu, 0, headerDigest);
            CompletionQueueEntry.write(pdu, CapsuleResp.CQE, (int) result, (int) (result >>> 32), 0, 0, cid, status);
            send(pdu, CapsuleResp.SIZE);
        }

        void c2hData(int cccid, long datao, byte[] bytes, int flags) throws IOException {
            MemorySegment pdu = memory(C2HData.SIZE);
            C2HData.write(pdu, 0, headerDigest, dataDigest, 4, flags, cccid, datao, bytes.length);
            send(pdu, C2HData.SIZE);
            MemorySegment data = memory(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            send(bytes);
            if (dataDigest) {
                digest(data, bytes.length);
            }
        }

        /// `size` bytes of a header, and its digest.
        void send(MemorySegment pdu, int size) throws IOException {
            send(pdu.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
            if (headerDigest) {
                digest(pdu, size);
            }
        }

        private void digest(MemorySegment bytes, int size) throws IOException {
            MemorySegment digest = memory(PduHeader.DIGEST_SIZE);
            LittleEndian.dword(digest, 0, crc.of(bytes, 0, size));
            send(digest.asSlice(0, PduHeader.DIGEST_SIZE).toArray(ValueLayout.JAVA_BYTE));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        private static MemorySegment memory(long bytes) {
            return Arena.ofAuto().allocate(Math.max(bytes, 8), 8);
        }
    }
}
