package io.spindrift.nvme;

/// What happens when a command has ended. On the queue pair's thread; never inside of [NvmeRequest#submit].
@FunctionalInterface
public interface NvmeCompletion {
    /// `request` has ended with [NvmeRequest#status()]; it is the owner's again, to be used for the next command or
    /// released. Must not block or throw.
    void completed(NvmeRequest request);
}
