package io.spindrift.sock.posix;

/// The few sockets on which something has arrived of late: each poll tries them without asking epoll first.
///
/// With more active sockets than there is room for, nobody is tried for a while: epoll reports all in turn, and those in
/// here would get more than their share.
final class ActiveSocks {
    private static final int CAPACITY = 16;
    private static final int REST_POLLS = 64;

    private final PosixSock[] socks = new PosixSock[CAPACITY];
    private int count;
    private int rest;

    int count() {
        return count;
    }

    PosixSock get(int index) {
        return socks[index];
    }

    void remove(int index) {
        socks[index].active = false;
        socks[index] = socks[--count];
        socks[count] = null;
    }

    /// False if there are too many: then all are to be removed.
    boolean add(PosixSock sock) {
        if (sock.active || rest > 0) {
            return true;
        }
        if (count == CAPACITY) {
            rest = REST_POLLS;
            return false;
        }
        sock.active = true;
        sock.hits = 0;
        socks[count++] = sock;
        return true;
    }

    /// A poll begins.
    void polled() {
        if (rest > 0) {
            rest--;
        }
    }
}
