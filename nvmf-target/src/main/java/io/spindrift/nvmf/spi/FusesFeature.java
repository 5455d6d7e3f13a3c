package io.spindrift.nvmf.spi;

/// Fused operations that a transport can keep from hosts (FUSES of Identify Controller).
public enum FusesFeature {
    /// Compare and Write.
    FCWS
}
