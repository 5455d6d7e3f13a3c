package io.spindrift.nvmf.rpc;

import io.spindrift.framework.rpc.Description;
import io.spindrift.nvmf.TransportAddress;
import java.util.Optional;

/// A transport address in parameters and results.
record ListenAddress(
        @Description("transport: TCP, RDMA") String trtype,
        @Description("kind of address: IPv4, IPv6, IB, FC; that of traddr if it is left out") Optional<String> adrfam,
        @Description("the address") String traddr,
        @Description("the port") Optional<String> trsvcid) {
    ListenAddress {
        TransportAddress.parse(trtype, adrfam, traddr, trsvcid);
    }

    static ListenAddress of(TransportAddress address) {
        return new ListenAddress(address.trtype(), Optional.of(address.adrfam().text()), address.traddr(),
                Optional.of(address.trsvcid()));
    }

    TransportAddress address() {
        return TransportAddress.parse(trtype, adrfam, traddr, trsvcid);
    }
}
