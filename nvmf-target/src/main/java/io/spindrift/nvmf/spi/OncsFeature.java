package io.spindrift.nvmf.spi;

/// Optional commands that a transport can keep from hosts (ONCS of Identify Controller).
public enum OncsFeature {
    /// Compare.
    NVMCMPS,
    /// Dataset Management.
    NVMDSMSV,
    /// Write Zeroes.
    NVMWZSV,
    /// Reservations.
    RESERVS,
    /// Copy.
    NVMCPYS
}
