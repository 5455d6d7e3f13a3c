package io.spindrift.apps.bdevperf;

/// What holds for all jobs of a run.
///
/// @param seconds           how long to submit I/O
/// @param continueOnFailure whether the run goes on after a failed I/O
/// @param timeoutSeconds    an I/O that takes longer is counted as starved; 0 for none
/// @param abortStarved      whether a starved I/O is aborted
/// @param zipfTheta         skew of random offsets; 0 for none
/// @param randomMap         whether a random job visits each block once before any a second time
/// @param uniqueData        whether each write gets data of its own
/// @param hideMetadata      whether jobs leave separate metadata alone
/// @param zeroCopy          whether reads and writes borrow the device's memory
/// @param latencyLevel      0 for no percentiles, 1 for percentiles, 2 for the histogram too
/// @param seed              decides random offsets and what is written
record RunSettings(int seconds, boolean continueOnFailure, int timeoutSeconds, boolean abortStarved, double zipfTheta,
        boolean randomMap, boolean uniqueData, boolean hideMetadata, boolean zeroCopy, int latencyLevel, long seed) {
    /// Nothing special.
    static RunSettings of(int seconds, long seed) {
        return new RunSettings(seconds, false, 0, false, 0, false, false, false, false, 0, seed);
    }

    RunSettings withRun(int newSeconds, long newSeed) {
        return new RunSettings(newSeconds, continueOnFailure, timeoutSeconds, abortStarved, zipfTheta, randomMap,
                uniqueData, hideMetadata, zeroCopy, latencyLevel, newSeed);
    }

    RunSettings continuingOnFailure() {
        return new RunSettings(seconds, true, timeoutSeconds, abortStarved, zipfTheta, randomMap, uniqueData,
                hideMetadata, zeroCopy,
                latencyLevel, seed);
    }

    RunSettings withTimeout(int newTimeoutSeconds) {
        return new RunSettings(seconds, continueOnFailure, newTimeoutSeconds, abortStarved, zipfTheta, randomMap,
                uniqueData, hideMetadata, zeroCopy, latencyLevel, seed);
    }

    RunSettings abortingStarved() {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, true, zipfTheta, randomMap, uniqueData,
                hideMetadata, zeroCopy, latencyLevel, seed);
    }

    RunSettings withZipf(double theta) {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, abortStarved, theta, randomMap, uniqueData,
                hideMetadata, zeroCopy, latencyLevel, seed);
    }

    RunSettings withRandomMap() {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, abortStarved, zipfTheta, true, uniqueData,
                hideMetadata, zeroCopy, latencyLevel, seed);
    }

    RunSettings withUniqueData() {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, abortStarved, zipfTheta, randomMap, true,
                hideMetadata, zeroCopy, latencyLevel, seed);
    }

    RunSettings withHiddenMetadata() {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, abortStarved, zipfTheta, randomMap,
                uniqueData, true, zeroCopy, latencyLevel, seed);
    }

    RunSettings withZeroCopy() {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, abortStarved, zipfTheta, randomMap,
                uniqueData, hideMetadata, true, latencyLevel, seed);
    }

    RunSettings withLatencyLevel(int level) {
        return new RunSettings(seconds, continueOnFailure, timeoutSeconds, abortStarved, zipfTheta, randomMap,
                uniqueData, hideMetadata, zeroCopy, level, seed);
    }
}
