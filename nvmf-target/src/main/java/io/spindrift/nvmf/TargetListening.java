package io.spindrift.nvmf;

import io.spindrift.framework.rpc.RpcException;
import io.spindrift.nvmf.spi.NvmfTransport;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// At which addresses a target's transports listen: each as long as a subsystem has a listener there. Control path.
final class TargetListening {
    private final NvmfTarget target;
    /// How many subsystems use an address; guarded by this.
    private final Map<TransportAddress, Integer> users = new HashMap<>();

    TargetListening(NvmfTarget target) {
        this.target = target;
    }

    /// A subsystem wants to be reached at `address`: the first one has the transport listen. Throws [RpcException] if it
    /// cannot.
    synchronized void acquire(TransportAddress address, Optional<String> sock) {
        NvmfTransport transport = target.transport(address.trtype()).orElseThrow(() -> noTransport(address));
        if (!users.containsKey(address)) {
            try {
                transport.listen(address, sock);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw RpcException.internal("listen_address=" + address + ": the target is stopping");
            } catch (Exception e) {
                throw new RpcException(RpcException.INVALID_PARAMS, "listen_address=" + address + ": "
                        + e.getMessage(), e);
            }
        }
        users.merge(address, 1, Integer::sum);
    }

    /// A subsystem is no longer reached at `address`: after the last one the transport stops to listen.
    synchronized void release(TransportAddress address) {
        if (users.merge(address, -1, Integer::sum) > 0) {
            return;
        }
        users.remove(address);
        target.transport(address.trtype()).ifPresent(transport -> transport.stopListening(address));
    }

    private RpcException noTransport(TransportAddress address) {
        return RpcException.invalidParams("listen_address.trtype=" + address.trtype() + ": target " + target.name()
                + " has no such transport; nvmf_create_transport makes one, and it has "
                + (target.transports().isEmpty() ? "none" : String.join(", ", target.transportNames())));
    }
}
