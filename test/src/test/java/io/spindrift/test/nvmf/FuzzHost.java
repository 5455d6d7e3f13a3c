package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.test.nvmf.FuzzStream.Kind;
import io.spindrift.test.nvmf.FuzzStream.Step;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketException;
import java.util.List;
import java.util.Random;

/// One connection of a host that does what a plan says. What the target sends meanwhile must be right, whatever it gets.
final class FuzzHost implements AutoCloseable {
    /// How far the connection gets before its steps.
    enum Setup {
        NOTHING, INITIALIZED, ADMIN_QUEUE, IO_QUEUE
    }

    /// What a connection does.
    record Plan(Setup setup, boolean headerDigest, boolean dataDigest, List<Step> steps) {
        Plan {
            steps = List.copyOf(steps);
        }
    }

    private final Plan plan;
    private final FuzzStream stream;
    private final TcpHost host;
    private boolean over;
    /// Whether the next PDU begins where the target expects one.
    private boolean inStep = true;

    /// Gets as far as the plan says: as an admin queue of a new controller of `subnqn`, or as an I/O queue of the one with
    /// this ID.
    FuzzHost(int port, Plan plan, String subnqn, int qid, int cntlid) throws IOException {
        this.plan = plan;
        this.stream = new FuzzStream(plan.headerDigest(), plan.dataDigest(), subnqn);
        this.host = new TcpHost(port);
        if (plan.setup() != Setup.NOTHING) {
            host.initialize(plan.headerDigest(), plan.dataDigest());
        }
        if (plan.setup() == Setup.ADMIN_QUEUE) {
            LiveTarget.enable(host, subnqn, new int[1]);
        } else if (plan.setup() == Setup.IO_QUEUE) {
            assertEquals(0, host.connect(qid, 64, subnqn, TcpHost.HOST_NQN, cntlid).status(), "Connect");
        }
    }

    /// Does all steps, ends its half and waits until the target has ended the other.
    void run() throws IOException {
        for (Step step : plan.steps()) {
            if (over) {
                break;
            }
            Random random = new Random(~step.seed());
            send(stream.bytes(step), random);
            boolean answered = step.kind() == Kind.ANSWERED_WRITE || step.kind() == Kind.BADLY_ANSWERED_WRITE;
            if (answered && inStep && plan.setup() == Setup.IO_QUEUE) {
                answer(FuzzStream.cid(new Random(step.seed())), step.kind() == Kind.ANSWERED_WRITE, random);
            }
            inStep &= step.kind().keepsPace();
        }
        finish();
    }

    /// In pieces of any size.
    private void send(byte[] bytes, Random random) throws IOException {
        int from = 0;
        while (from < bytes.length && !over) {
            int length = random.nextInt(4) == 0 ? 1 + random.nextInt(bytes.length - from) : bytes.length - from;
            try {
                host.send(bytes, from, length);
            } catch (SocketException _) {
                over = true; // the target has had enough
            }
            from += length;
        }
    }

    private void answer(int cid, boolean well, Random random) throws IOException {
        MemorySegment pdu = next();
        while (pdu != null && !isAnswer(pdu, cid)) {
            pdu = next();
        }
        if (pdu == null || PduHeader.type(pdu, 0) != PduType.R2T) {
            return;
        }
        int tag = R2T.ttag(pdu, 0);
        int length = (int) R2T.r2tl(pdu, 0);
        int at = 0;
        while (at < length && !over) {
            int part = random.nextBoolean() ? length - at : 1 + random.nextInt(length - at);
            boolean wrong = !well && random.nextInt(2) == 0;
            send(stream.hostData(random, cid, wrong ? tag + random.nextInt(2) : tag,
                    at + part == length ^ wrong & random.nextBoolean(),
                    wrong ? (int) FuzzStream.number(random) : at, part), random);
            at += part;
        }
    }

    private static boolean isAnswer(MemorySegment pdu, int cid) {
        return switch (PduHeader.type(pdu, 0)) {
            case PduType.R2T -> R2T.cccid(pdu, 0) == cid;
            case PduType.CAPSULE_RESP -> CompletionQueueEntry.cid(pdu, CapsuleResp.CQE) == cid;
            default -> false;
        };
    }

    private void finish() throws IOException {
        try {
            host.endSending();
        } catch (SocketException _) {
            // the target was faster
        }
        while (next() != null) {
            // what it still says
        }
    }

    /// The next PDU of the target, which must be right; null at the end.
    private MemorySegment next() throws IOException {
        if (over) {
            return null;
        }
        try {
            MemorySegment pdu = host.receive();
            over = pdu == null;
            if (pdu != null) {
                check(pdu);
            }
            return pdu;
        } catch (SocketException | EOFException _) {
            over = true; // cut
            return null;
        }
    }

    private void check(MemorySegment pdu) {
        int type = PduHeader.type(pdu, 0);
        int flags = PduHeader.flags(pdu, 0);
        boolean digests = type != PduType.IC_RESP && type != PduType.C2H_TERM_REQ;
        assertEquals(PduRules.VALID, PduRules.invalidField(pdu, 0, false, digests && plan.headerDigest(),
                digests && plan.dataDigest(), 4, 1 << 20), "field of a " + PduType.name(type));
        assertEquals(digests && plan.headerDigest(), (flags & PduHeader.HDGSTF) != 0);
    }

    @Override
    public void close() throws IOException {
        host.close();
    }
}
