package io.spindrift.framework.memory;

/// What backs a region.
public enum PageKind {
    /// Reserved hugepages of 2 MiB (hugetlbfs).
    HUGE,
    /// Ordinary memory that the kernel was advised to back by transparent hugepages.
    TRANSPARENT_HUGE,
    /// Ordinary pages.
    PLAIN,
    /// Memory that somebody else owns, registered with [Memory#register].
    FOREIGN
}
