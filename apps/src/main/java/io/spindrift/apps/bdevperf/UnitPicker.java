package io.spindrift.apps.bdevperf;

/// Which unit (an I/O's worth of blocks) of its range a job goes to next. One thread; allocates nothing.
///
/// One class for all orders, so that the data path has no call with many targets: uniformly random first.
final class UnitPicker {
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

    /// Units `0..units-1` as `spec` and `settings` want them; `seed` decides the order of random ones.
    static UnitPicker of(JobSpec spec, RunSettings settings, long seed) {
        XorShift random = new XorShift(seed);
        long units = spec.units();
        if (!spec.workload().random()) {
            return new UnitPicker(units, random, false, null, null);
        }
        if (settings.zipfTheta() > 0) {
            return new UnitPicker(units, random, false, new Zipf(units, settings.zipfTheta(), random), null);
        }
        if (settings.randomMap()) {
            return new UnitPicker(units, random, false, null, new Shuffle(units, random));
        }
        return new UnitPicker(units, random, true, null, null);
    }

    /// The next unit.
    long next() {
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
    boolean chance(int percent) {
        return random.below(100) < percent;
    }
}
