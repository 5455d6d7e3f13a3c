package io.spindrift.nvmf;

import java.util.Optional;

/// Where a subsystem can be reached, as it is at one time. Immutable.
///
/// @param address the address
/// @param sock    the socket implementation that was asked for
/// @param states  the access states of the ANA groups through it
public record NvmfListener(TransportAddress address, Optional<String> sock, AnaStates states) {
    NvmfListener with(AnaStates changed) {
        return new NvmfListener(address, sock, changed);
    }
}
