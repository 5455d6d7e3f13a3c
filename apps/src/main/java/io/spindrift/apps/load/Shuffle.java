package io.spindrift.apps.load;

/// The numbers `0..count-1` in random order, each exactly once; then again in another order. One thread.
///
/// Needs no map of what was given: a counter of just enough bits goes through a bijection of such numbers (multiply by
/// an odd number, fold the high bits down, three times), and results from `count` on are passed over, less than one in
/// two.
final class Shuffle {
    private static final int STEPS = 3;

    private final XorShift random;
    private final long count;
    private final long mask;
    private final int fold;
    private final long[] factors = new long[STEPS];
    private long offset;
    private long position;

    Shuffle(long count, XorShift random) {
        this.count = count;
        this.random = random;
        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(count - 1));
        this.mask = (1L << bits) - 1;
        this.fold = (bits + 1) / 2;
        newOrder();
    }

    private void newOrder() {
        for (int i = 0; i < STEPS; i++) {
            factors[i] = random.next() | 1;
        }
        offset = random.next();
        position = 0;
    }

    long next() {
        long number;
        do {
            if (position > mask) {
                newOrder();
            }
            number = mix(position++);
        } while (number >= count);
        return number;
    }

    private long mix(long from) {
        long x = from + offset & mask;
        for (int i = 0; i < STEPS; i++) {
            x = x * factors[i] & mask;
            x ^= x >>> fold;
        }
        return x;
    }
}
