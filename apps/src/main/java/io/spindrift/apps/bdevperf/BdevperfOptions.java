package io.spindrift.apps.bdevperf;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/// What bdevperf's own flags say. [BdevperfFlags] fills it, one thread; afterwards it does not change.
final class BdevperfOptions {
    private Load load = Load.NONE;
    private Optional<String> bdev = Optional.empty();
    private Optional<Path> jobFile = Optional.empty();
    private Optional<Path> rpcLog = Optional.empty();
    private OptionalInt reportSeconds = OptionalInt.empty();
    private OptionalInt averagePeriods = OptionalInt.empty();
    private boolean waitForTests;
    private boolean everyCore;
    private boolean threadPerCore;
    private RunSettings settings = RunSettings.of(0, 0);

    /// `-q`, `-o`, `-w`, `-t` and `-M`.
    Load load() {
        return load;
    }

    void load(Load value) {
        load = value;
    }

    /// `-T`: the only bdev to use.
    Optional<String> bdev() {
        return bdev;
    }

    void bdev(String name) {
        bdev = Optional.of(name);
    }

    /// `-j`.
    Optional<Path> jobFile() {
        return jobFile;
    }

    void jobFile(Path file) {
        jobFile = Optional.of(file);
    }

    /// `-J`: where RPC calls are appended.
    Optional<Path> rpcLog() {
        return rpcLog;
    }

    void rpcLog(Path file) {
        rpcLog = Optional.of(file);
    }

    /// `-S`: the period of the running report.
    OptionalInt reportSeconds() {
        return reportSeconds;
    }

    void reportSeconds(int seconds) {
        reportSeconds = OptionalInt.of(seconds);
    }

    /// `-P`: over how many periods the running report averages.
    OptionalInt averagePeriods() {
        return averagePeriods;
    }

    void averagePeriods(int periods) {
        averagePeriods = OptionalInt.of(periods);
    }

    /// `-z`: nothing runs before the RPC `perform_tests`.
    boolean waitForTests() {
        return waitForTests;
    }

    void waitForTests(boolean value) {
        waitForTests = value;
    }

    /// `-C`: every core uses every bdev, each a part of it.
    boolean everyCore() {
        return everyCore;
    }

    void everyCore(boolean value) {
        everyCore = value;
    }

    /// `-E`: all jobs of a core share a thread.
    boolean threadPerCore() {
        return threadPerCore;
    }

    void threadPerCore(boolean value) {
        threadPerCore = value;
    }

    /// `-f`, `-k`, `-X`, `-F`, `-D`, `-U`, `-N`, `-Z` and `-l`; seconds and seed are not said yet.
    RunSettings settings() {
        return settings;
    }

    void settings(RunSettings value) {
        settings = value;
    }
}
