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

    void add(PosixSock sock) {
        if (sock.active || rest > 0) {
            return;
        }
        if (count == CAPACITY) {
            rest = REST_POLLS;
            while (count > 0) {
                remove(count - 1);
            }
            return;
        }
        sock.active = true;
        socks[count++] = sock;
    }

    /// A poll begins.
    void polled() {
        if (rest > 0) {
            rest--;
        }
    }
}
