package io.spindrift.sock.posix;

/// The zero-copy sends of one socket: the kernel numbers them from 0, modulo 2^32, and tells ranges of numbers whose pages
/// it has let go of, mostly but not always in order (Documentation/networking/msg_zerocopy.rst).
final class ZeroCopySends {
    /// Sends that can be under way; a power of two. Beyond it, sends are copies.
    static final int WINDOW = 256;

    private final long[] ended = new long[WINDOW / Long.SIZE];
    private long next;
    private long base;

    ZeroCopySends() {
        this(0);
    }

    /// As after `first` sends that have ended.
    ZeroCopySends(long first) {
        next = first;
        base = first;
    }

    /// Whether one more can be under way.
    boolean available() {
        return next - base < WINDOW;
    }

    /// Takes the number of a send that the kernel has accepted.
    long take() {
        return next++;
    }

    /// All with numbers below this one have ended.
    long base() {
        return base;
    }

    /// Those numbered `low` to `high`, modulo 2^32, have ended. Returns how many that are; numbers that are not under way
    /// count for nothing.
    int end(int low, int high) {
        long first = base + (low - (int) base);
        long last = first + (high - low);
        if (first < base || last >= next || last < first) {
            return 0;
        }
        for (long number = first; number <= last; number++) {
            ended[word(number)] |= 1L << number;
        }
        while (base < next && (ended[word(base)] & 1L << base) != 0) {
            ended[word(base)] &= ~(1L << base);
            base++;
        }
        return (int) (last - first) + 1;
    }

    private static int word(long number) {
        return (int) (number & WINDOW - 1) / Long.SIZE;
    }
}
