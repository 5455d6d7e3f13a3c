package io.spindrift.bdev;

/// What `bdev_reset_iostat` sets back to zero.
public enum StatisticsReset {
    ALL, MAXMIN, ERROR, NONE;

    boolean counts() {
        return this == ALL;
    }

    boolean extremes() {
        return this == ALL || this == MAXMIN;
    }

    boolean errors() {
        return this == ALL || this == ERROR;
    }
}
