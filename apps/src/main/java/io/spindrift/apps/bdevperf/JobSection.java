package io.spindrift.apps.bdevperf;

import io.spindrift.framework.thread.CpuMask;
import java.util.List;
import java.util.Optional;

/// What one thread is to do: a job on each of some bdevs. Not yet checked against them.
///
/// @param name        for messages: `job 'a' of FILE`, or empty for one that the flags describe
/// @param threadName  of the thread
/// @param bdevs       names
/// @param cores       where the thread may run; nothing for all of the application's
/// @param offset      first block of the range
/// @param length      blocks of the range; 0 for all from `offset` on
record JobSection(String name, String threadName, List<String> bdevs, Optional<CpuMask> cores, Workload workload,
        int ioSize, int depth, int readPercent, long offset, long length) {
    JobSection {
        bdevs = List.copyOf(bdevs);
    }

    /// `-o 4096` or `bs=4096 of job 'a' of FILE`, to start a sentence with.
    String ioSizeText() {
        return name.isEmpty() ? "-o " + ioSize : "bs=" + ioSize + " of " + name;
    }

    String workloadText() {
        return name.isEmpty() ? "-w " + workload.text() : "rw=" + workload.text() + " of " + name;
    }

    String bdevText(String bdev) {
        return name.isEmpty() ? "-T " + bdev : "filename=" + bdev + " of " + name;
    }

    String rangeText() {
        return "offset=" + offset + " length=" + length + (name.isEmpty() ? "" : " of " + name);
    }
}
