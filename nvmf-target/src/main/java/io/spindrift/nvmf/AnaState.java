package io.spindrift.nvmf;

import io.spindrift.nvme.spec.log.AnaGroupDescriptor;

/// How well a group of namespaces can be reached through a listener (NVM Express Base 2.0, figure 222).
public enum AnaState {
    OPTIMIZED(AnaGroupDescriptor.STATE_OPTIMIZED),
    NON_OPTIMIZED(AnaGroupDescriptor.STATE_NON_OPTIMIZED),
    INACCESSIBLE(AnaGroupDescriptor.STATE_INACCESSIBLE);

    private final int code;

    AnaState(int code) {
        this.code = code;
    }

    /// The value on the wire.
    public int code() {
        return code;
    }
}
