package io.spindrift.nvmf;

/// What of a listener's address must be that of the connection that reads the discovery log, for the log to have it.
public enum DiscoveryFilter {
    TRANSPORT, ADDRESS, SVCID
}
