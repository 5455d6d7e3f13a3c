package io.spindrift.nvmf.tcp;

import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import io.spindrift.nvmf.spi.TransportOptions;

/// Makes the TCP transport of a target.
public final class TcpTransportProvider implements NvmfTransportProvider {
    /// For the service loader.
    public TcpTransportProvider() {}

    @Override
    public String trtype() {
        return TcpTransport.TRTYPE;
    }

    @Override
    public TransportOptions defaults() {
        return TransportOptions.DEFAULT;
    }

    @Override
    public NvmfTransport create(NvmfTarget target, TransportOptions options) {
        if (options.buffers().difInsertOrStrip()) {
            throw new IllegalArgumentException("dif_insert_or_strip=true cannot be had: TCP neither adds nor removes"
                    + " protection information; false is allowed");
        }
        return new TcpTransport(target, options);
    }
}
