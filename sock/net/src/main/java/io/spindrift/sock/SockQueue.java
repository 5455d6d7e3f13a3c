package io.spindrift.sock;

import java.util.Arrays;

/// Sockets of one group that wait for something in its next poll, first in first out. Allocates only to grow.
final class SockQueue {
    private Sock[] ring = new Sock[16];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void offer(Sock sock) {
        if (size == ring.length) {
            grow();
        }
        ring[head + size++ & ring.length - 1] = sock;
    }

    private void grow() {
        Sock[] larger = Arrays.copyOfRange(ring, head, head + ring.length * 2);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        ring = larger;
        head = 0;
    }

    /// The oldest; there must be one.
    Sock take() {
        Sock sock = ring[head];
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        size--;
        return sock;
    }
}
