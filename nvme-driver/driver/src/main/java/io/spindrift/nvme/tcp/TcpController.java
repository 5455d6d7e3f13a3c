package io.spindrift.nvme.tcp;

import io.spindrift.framework.ErrnoException;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spi.TransportController;
import io.spindrift.nvme.spi.TransportQueuePair;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.SockOptions;

/// A controller over NVMe/TCP: an address that each of its queue pairs connects to.
final class TcpController extends TransportController {
    private final TcpTransport transport;
    private final NvmeController controller;
    private final String host;
    private final int port;
    private final String implementation;
    private final SockOptions sockOptions;

    TcpController(TcpTransport transport, NvmeController controller, String host, int port, String implementation,
            SockOptions sockOptions) {
        this.transport = transport;
        this.controller = controller;
        this.host = host;
        this.port = port;
        this.implementation = implementation;
        this.sockOptions = sockOptions;
    }

    NvmeController controller() {
        return controller;
    }

    TcpPollGroups groups() {
        return transport.groups(implementation);
    }

    DetachedSock connect(long limitMillis) throws Exception {
        try {
            return transport.context().sockets().connect(host, port, implementation, sockOptions,
                    limitMillis * 1_000_000);
        } catch (ErrnoException e) {
            throw new NvmeException(e.errno(), controller.name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean fabrics() {
        return true;
    }

    @Override
    public TransportQueuePair newQueuePair(QueuePair queuePair, int requests) {
        return new TcpQueuePair(this, queuePair, transport.context().memory(), requests);
    }

    @Override
    public void close() {
        // its queue pairs had everything
    }
}
