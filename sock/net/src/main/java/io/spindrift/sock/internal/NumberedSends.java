package io.spindrift.sock.internal;

/// The sends of one socket that are under way, numbered from 0. They end in ranges of numbers, modulo 2^32, mostly but not
/// always in order: as the kernel tells of zero-copy sends (Documentation/networking/msg_zerocopy.rst).
public final class NumberedSends {
    /// Sends that can be under way; a power of two.
    public static final int WINDOW = 256;

    private final long[] ended = new long[WINDOW / Long.SIZE];
    private long next;
    private long base;

    public NumberedSends() {
        this(0);
    }

    /// As after `first` sends that have ended.
    NumberedSends(long first) {
        next = first;
        base = first;
    }

    /// Whether one more can be under way.
    public boolean available() {
        return next - base < WINDOW;
    }

    /// Takes the number of a send that the kernel has accepted.
    public long take() {
        return next++;
    }

    /// All with numbers below this one have ended.
    public long base() {
        return base;
    }

    /// Those numbered `low` to `high`, modulo 2^32, have ended. Returns how many that are; numbers that are not under way
    /// count for nothing.
    public int end(int low, int high) {
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
