package io.spindrift.apps.load;

/// Marsaglia's xorshift generator of 64 bits: three shifts a number, never 0, period 2^64 - 1. One thread.
public final class XorShift {
    private long state;

    /// A generator whose sequence `seed` decides. The seed's bits are mixed first: the generator itself would give a
    /// seed of few bits a start of small numbers.
    public XorShift(long seed) {
        long x = seed + 0x9e3779b97f4a7c15L;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        x ^= x >>> 31;
        state = x == 0 ? 1 : x;
    }

    /// The next 64 bits.
    public long next() {
        long x = state;
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        state = x;
        return x;
    }

    /// A number in `0..bound-1`, by a multiplication instead of a division.
    public long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }

    /// A number in the open interval (0, 1).
    public double fraction() {
        return ((next() >>> 11) + 0.5) * 0x1p-53;
    }
}
