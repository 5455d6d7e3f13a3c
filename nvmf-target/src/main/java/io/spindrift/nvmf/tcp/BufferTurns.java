package io.spindrift.nvmf.tcp;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Message;

/// Whose turn it is, among the requests of a group that need several buffers, to collect them.
///
/// Who collects keeps some while it waits for the rest. If several did so at once they might have all buffers between them, and
/// each wait for ever for another's. So one collects at a time, and the others, which have none yet, wait for it. Requests of one
/// buffer need no turn. Everything on the group's thread; the data path: allocates nothing.
final class BufferTurns {
    private final IoThread thread;
    private TcpRequest first;
    private TcpRequest last;
    private boolean going;
    private boolean asked;
    private final Message later = new Message() {
        @Override
        protected void run() {
            asked = false;
            goOn();
        }

        @Override
        protected void rejected() {
            asked = false; // the thread has gone, and with it the requests
        }
    };

    BufferTurns(IoThread thread) {
        this.thread = thread;
    }

    /// Whether `request` may collect now; else [TcpRequest#collect()] is called when it may.
    boolean begin(TcpRequest request) {
        request.inTurn = true;
        request.following = null;
        if (first == null) {
            first = request;
        } else {
            last.following = request;
        }
        last = request;
        return first == request;
    }

    /// `request` has all its buffers, or wants none any more: it is the next one's turn, from within [#goOn()].
    void end(TcpRequest request) {
        TcpRequest before = null;
        TcpRequest at = first;
        while (at != request) {
            before = at;
            at = at.following;
        }
        if (before == null) {
            first = request.following;
        } else {
            before.following = request.following;
        }
        if (last == request) {
            last = before;
        }
        request.following = null;
        request.inTurn = false;
    }

    /// Lets the next ones collect, until one has to wait.
    void goOn() {
        if (going) {
            return;
        }
        going = true;
        try {
            while (first != null && !first.waitsForBuffer()) {
                first.collect();
            }
        } finally {
            going = false;
        }
    }

    /// As [#goOn()], but not from within this call, whose caller may be in the middle of something.
    void goOnLater() {
        if (first != null && !asked) {
            asked = true;
            thread.send(later);
        }
    }
}
