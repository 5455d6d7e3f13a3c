package io.spindrift.test.nvmf;

import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.PollGroup;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import io.spindrift.nvmf.spi.TransportExtras;
import io.spindrift.nvmf.spi.TransportGroup;
import io.spindrift.nvmf.spi.TransportOptions;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A transport with the options of the peer's TCP, which listens nowhere.
final class FakeProvider implements NvmfTransportProvider {
    /// An address at which it cannot listen.
    static final String UNREACHABLE = "192.0.2.1";

    @Override
    public String trtype() {
        return "TCP";
    }

    @Override
    public TransportOptions defaults() {
        return TransportOptions.DEFAULT;
    }

    @Override
    public NvmfTransport create(NvmfTarget target, TransportOptions options) {
        return new FakeTransport(options);
    }

    private record FakeTransport(TransportOptions options) implements NvmfTransport {
        @Override
        public String trtype() {
            return "TCP";
        }

        @Override
        public TransportExtras ownOptions() {
            return new TransportExtras(Optional.of(options.extras().c2hSuccess().orElse(true)),
                    OptionalLong.of(options.extras().sockPriority().orElse(0)), OptionalInt.empty(),
                    OptionalInt.empty(), OptionalLong.empty(), Optional.empty(), OptionalInt.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }

        @Override
        public void listen(TransportAddress address, Optional<String> sock) throws IOException {
            if (address.traddr().equals(UNREACHABLE)) {
                throw new IOException("Cannot assign requested address");
            }
        }

        @Override
        public void stopListening(TransportAddress address) {}

        @Override
        public TransportGroup openGroup(PollGroup group) {
            return () -> {};
        }

        @Override
        public void close() {}
    }
}
