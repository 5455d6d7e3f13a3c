package io.spindrift.framework;

/// Validation of values that arrive from callers, files and RPCs.
///
/// Every failure is an [IllegalArgumentException] whose message names the parameter, the value and the limit.
/// Any thread; never on the data path.
public final class Check {
    private Check() {}

    /// Returns `value` if it is at least 1.
    public static long positive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + "=" + value + " must be at least 1");
        }
        return value;
    }

    /// Returns `value` if `min <= value <= max`.
    public static long range(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " is outside " + min + ".." + max);
        }
        return value;
    }
}
