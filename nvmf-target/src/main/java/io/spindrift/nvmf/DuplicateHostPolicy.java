package io.spindrift.nvmf;

/// Whether a host may connect twice to a subsystem.
public enum DuplicateHostPolicy {
    /// As often as it likes.
    ALLOW,
    /// Once through each listener.
    RESTRICT_PER_LISTENER
}
