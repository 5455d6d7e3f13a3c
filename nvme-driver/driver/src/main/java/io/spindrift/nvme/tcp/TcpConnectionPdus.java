package io.spindrift.nvme.tcp;

import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import io.spindrift.sock.SendRequest;
import io.spindrift.sock.Sock;
import java.lang.foreign.MemorySegment;

/// What a connection sends that is no command's: ICReq, and perhaps a terminate request.
final class TcpConnectionPdus {
    private static final int TERMINATION = IcReq.SIZE;
    static final int MEMORY = TERMINATION + TermReq.MAX_PLEN;

    private final MemorySegment memory;
    private final SendRequest initializing = new SendRequest(1) {
        @Override
        protected void sent(int errno) {
            // if it fails, so does the connection
        }
    };
    private final SendRequest terminating;

    /// `terminated` runs when a terminate request has left, or never will.
    TcpConnectionPdus(MemorySegment memory, Runnable terminated) {
        this.memory = memory;
        this.terminating = new SendRequest(1) {
            @Override
            protected void sent(int errno) {
                terminated.run();
            }
        };
    }

    void sendInitialization(Sock sock, boolean headerDigest, boolean dataDigest) {
        IcReq.write(memory, 0, 0, (headerDigest ? IcReq.HDGST_ENABLE : 0) | (dataDigest ? IcReq.DDGST_ENABLE : 0), 0);
        initializing.clear();
        initializing.add(memory, 0, IcReq.SIZE);
        sock.send(initializing);
    }

    /// With `length` bytes of the header that was wrong.
    void sendTermination(Sock sock, int fes, int fei, MemorySegment pdu, long at, int length) {
        int copied = Math.min(length, TermReq.MAX_DATA);
        TermReq.write(memory, TERMINATION, PduType.H2C_TERM_REQ, fes, fei, copied);
        MemorySegment.copy(pdu, at, memory, TERMINATION + TermReq.SIZE, copied);
        terminating.clear();
        terminating.add(memory, TERMINATION, TermReq.SIZE + copied);
        sock.send(terminating);
    }

    /// Whether the kernel may still read one of them.
    boolean busy() {
        return initializing.queued() || terminating.queued();
    }
}
