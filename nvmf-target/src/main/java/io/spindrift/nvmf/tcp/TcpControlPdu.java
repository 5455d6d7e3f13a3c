package io.spindrift.nvmf.tcp;

import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import io.spindrift.sock.SendRequest;
import io.spindrift.sock.Sock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// What a connection sends that is no command's: ICResp, and perhaps a terminate request.
final class TcpControlPdu {
    private final MemorySegment initialization;
    private final MemorySegment termination;
    private final SendRequest initializing;
    private final SendRequest terminating;

    TcpControlPdu(SegmentAllocator allocator, TcpQueuePair owner) {
        initialization = allocator.allocate(IcResp.SIZE, Long.BYTES);
        termination = allocator.allocate(TermReq.MAX_PLEN, Long.BYTES);
        initializing = new SendRequest(1) {
            @Override
            protected void sent(int errno) {
                owner.controlSent();
            }
        };
        terminating = new SendRequest(1) {
            @Override
            protected void sent(int errno) {
                owner.terminationSent(errno);
                owner.controlSent();
            }
        };
    }

    void sendInitialization(Sock sock, boolean headerDigest, boolean dataDigest, long maxH2cData) {
        IcResp.write(initialization, 0, 0,
                (headerDigest ? IcReq.HDGST_ENABLE : 0) | (dataDigest ? IcReq.DDGST_ENABLE : 0), maxH2cData);
        initializing.clear();
        initializing.add(initialization, 0, IcResp.SIZE);
        sock.send(initializing);
    }

    /// With `length` bytes of the header that was wrong.
    void sendTermination(Sock sock, int fes, int fei, MemorySegment pdu, long at, int length) {
        TermReq.write(termination, 0, PduType.C2H_TERM_REQ, fes, fei, length);
        MemorySegment.copy(pdu, at, termination, TermReq.SIZE, length);
        terminating.clear();
        terminating.add(termination, 0, TermReq.SIZE + length);
        sock.sendBehind(terminating); // nothing follows it
    }

    /// Whether the kernel may still read one of them.
    boolean busy() {
        return initializing.queued() || terminating.queued();
    }
}
