package io.spindrift.nvmf.spi;

import io.spindrift.nvmf.NvmfTarget;

/// A kind of transport, found as a service: `provides NvmfTransportProvider with TcpTransportProvider`.
///
/// Control path.
public interface NvmfTransportProvider {
    /// Its name in upper case: `TCP`. Parameters name it in upper or lower case.
    String trtype();

    /// What holds where a parameter of `nvmf_create_transport` is not given.
    TransportOptions defaults();

    /// Makes the transport of one target. [IllegalArgumentException] says which option it cannot have, with its limit;
    /// anything else is told as why the transport cannot be made. Either way nothing is left of it.
    NvmfTransport create(NvmfTarget target, TransportOptions options) throws Exception;
}
