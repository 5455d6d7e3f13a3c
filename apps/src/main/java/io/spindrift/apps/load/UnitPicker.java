package io.spindrift.apps.load;

/// Which unit (an I/O's worth of blocks) of its range a job goes to next. One thread; allocates nothing.
///
/// One class for all orders, so that the data path has no call with many targets: uniformly random first.
public final class UnitPicker {
    private final long units;
    private final XorShift random;
    private final boolean uniform;
    private final Zipf zipf;
    private final Shuffle shuffle;
    private long next;

    private UnitPicker(long units, XorShift random, boolean uniform, Zipf zipf, Shuffle shuffle) {
        this.units = units;
        this.random = random;
        this.uniform = uniform;
        this.zipf = zipf;
        this.shuffle = shuffle;
    }

    /// Units `0..units-1` in their order, again and again. `seed` decides what [#chance] says.
    public static UnitPicker inOrder(long units, long seed) {
        return new UnitPicker(units, new XorShift(seed), false, null, null);
    }

    /// Units `0..units-1`, each with the same probability; `seed` decides the order.
    public static UnitPicker uniform(long units, long seed) {
        return new UnitPicker(units, new XorShift(seed), true, null, null);
    }

    /// Units `0..units-1` by Zipf's law with the exponent `theta`, above 0.
    public static UnitPicker skewed(long units, double theta, long seed) {
        XorShift random = new XorShift(seed);
        return new UnitPicker(units, random, false, new Zipf(units, theta, random), null);
    }

    /// Units `0..units-1` in random order, each once before any a second time.
    public static UnitPicker shuffled(long units, long seed) {
        XorShift random = new XorShift(seed);
        return new UnitPicker(units, random, false, null, new Shuffle(units, random));
    }

    /// The next unit.
    public long next() {
        return uniform ? random.below(units) : nextOther();
    }

    private long nextOther() {
        if (zipf != null) {
            return zipf.next();
        }
        if (shuffle != null) {
            return shuffle.next();
        }
        long unit = next;
        next = unit + 1 == units ? 0 : unit + 1;
        return unit;
    }

    /// True with a probability of `percent` in a hundred.
    public boolean chance(int percent) {
        return random.below(100) < percent;
    }
}
