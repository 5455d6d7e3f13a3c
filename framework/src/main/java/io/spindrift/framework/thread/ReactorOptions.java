package io.spindrift.framework.thread;

import io.spindrift.framework.Check;

/// How an application's reactors run.
///
/// @param name      prefix of the OS threads' names
/// @param mask      one reactor for each of these cores
/// @param mainCore  the core of the application's first thread, one of `mask`
/// @param pollOnly  never sleep (`--poll`)
/// @param graceNanos how long a reactor spins after its last work before it sleeps (`--idle-spin-us`)
/// @param events    who is told of contained exceptions
public record ReactorOptions(String name, CpuMask mask, int mainCore, boolean pollOnly, long graceNanos,
        ReactorEvents events) {
    /// Spins this long before it sleeps, unless told otherwise.
    public static final long DEFAULT_GRACE_NANOS = 200_000;

    public ReactorOptions {
        if (!mask.contains(mainCore)) {
            throw new IllegalArgumentException("main core " + mainCore + " is not in the cpumask " + mask);
        }
        Check.range("graceNanos", graceNanos, 0, 1_000_000_000L);
    }

    /// Reactors on `mask`, the first core being the main one, with the defaults.
    public static ReactorOptions of(String name, CpuMask mask) {
        return new ReactorOptions(name, mask, mask.cores()[0], false, DEFAULT_GRACE_NANOS, ReactorEvents.STDERR);
    }
}
