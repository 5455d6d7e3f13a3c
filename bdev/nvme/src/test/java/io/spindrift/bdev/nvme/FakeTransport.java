package io.spindrift.bdev.nvme;

import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.NvmeTransportProvider;
import io.spindrift.nvme.spi.TransportController;
import io.spindrift.nvme.spi.TransportQueuePair;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The transport `FAKE`, whose addresses are [FakePort]s.
final class FakeTransport implements NvmeTransportProvider, NvmeTransport {
    private final Map<String, FakePort> ports = new ConcurrentHashMap<>();

    FakePort port(String traddr) {
        return ports.computeIfAbsent(traddr, address -> new FakePort(address, ports.size() + 1));
    }

    @Override
    public String name() {
        return "FAKE";
    }

    @Override
    public NvmeTransport create(DriverContext context) {
        return this;
    }

    @Override
    public TransportController open(NvmeController controller, TransportId id, ControllerOptions options) {
        return new FakeController(port(id.traddr()));
    }

    @Override
    public void close() {
        // has nothing
    }

    private static final class FakeController extends TransportController {
        private final FakePort port;

        FakeController(FakePort port) {
            this.port = port;
        }

        @Override
        public boolean fabrics() {
            return false;
        }

        @Override
        public void open() {
            port.requireReachable();
        }

        @Override
        public long property(int offset, int bytes) {
            return port.property(offset);
        }

        @Override
        public void propertyTo(int offset, int bytes, long value) {
            port.propertyTo(offset, value);
        }

        @Override
        public TransportQueuePair newQueuePair(QueuePair queuePair, int requests) {
            return new FakeQueuePair(port, queuePair, requests);
        }

        @Override
        public void close() {
            // has nothing
        }
    }
}
