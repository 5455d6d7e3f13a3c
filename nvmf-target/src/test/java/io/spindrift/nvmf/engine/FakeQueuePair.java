package io.spindrift.nvmf.engine;

import io.spindrift.nvmf.PollGroup;
import io.spindrift.nvmf.TargetFixture;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.spi.NvmfTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A connection without a network: a test gives it its commands.
final class FakeQueuePair extends QueuePair {
    static final TransportAddress LISTEN = TargetFixture.address("127.0.0.1");

    /// Those that have no answer yet.
    final List<FakeRequest> requests = new ArrayList<>();
    boolean disconnected;

    FakeQueuePair(PollGroup group, NvmfTransport transport) {
        super(group, transport, LISTEN, LISTEN, Optional.empty());
    }

    @Override
    protected FakeRequest find(int cid) {
        return requests.stream().filter(request -> request.cid() == cid).findFirst().orElse(null);
    }

    @Override
    public void disconnect() {
        if (!disconnected) {
            disconnected = true;
            ending();
            ended();
        }
    }
}
