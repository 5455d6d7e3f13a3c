package io.spindrift.nvmf;

import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.TransportExtras;
import io.spindrift.nvmf.spi.TransportGroup;
import io.spindrift.nvmf.spi.TransportOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Listens nowhere, and remembers what was asked of it.
public final class FakeTransport implements NvmfTransport {
    static final String UNREACHABLE = "192.0.2.1";

    /// `+127.0.0.1:4420`, `-127.0.0.1:4420`, in their order.
    final List<String> calls = new ArrayList<>();
    int openGroups;
    boolean closed;

    FakeTransport() {}

    @Override
    public String trtype() {
        return "FAKE";
    }

    @Override
    public TransportOptions options() {
        return TransportOptions.DEFAULT;
    }

    @Override
    public TransportExtras ownOptions() {
        return TransportExtras.NONE;
    }

    @Override
    public void listen(TransportAddress address, Optional<String> sock) throws IOException {
        if (address.traddr().equals(UNREACHABLE)) {
            throw new IOException("Cannot assign requested address");
        }
        calls.add("+" + address.traddr() + ":" + address.trsvcid());
    }

    @Override
    public void stopListening(TransportAddress address) {
        calls.add("-" + address.traddr() + ":" + address.trsvcid());
    }

    @Override
    public TransportGroup openGroup(PollGroup group) {
        openGroups++;
        return () -> openGroups--;
    }

    @Override
    public void close() {
        closed = true;
    }
}
