package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.Errno;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import io.spindrift.nvmf.spi.TransportOptions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// Transports.
final class TransportMethods {
    /// Kinds that exist, whether they can be had here or not: not to have one is not the caller's mistake.
    private static final List<String> KNOWN = List.of("TCP", "RDMA", "VFIOUSER");

    record GetTransports(
            @Option("--trtype") @Description("only this kind") Optional<String> trtype,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    static final RpcMethod<CreateTransport> CREATE = RpcMethod
            .of("nvmf_create_transport", CreateTransport.class, RUNTIME).summary("Creates a transport.");
    static final RpcMethod<GetTransports> GET = RpcMethod.of("nvmf_get_transports", GetTransports.class, RUNTIME)
            .summary("Shows the transports.");

    static final List<RpcMethod<?>> ALL = List.of(CREATE, GET);

    private final Supplier<NvmfTargets> targets;
    private final Supplier<List<NvmfTransportProvider>> providers;

    TransportMethods(Supplier<NvmfTargets> targets, Supplier<List<NvmfTransportProvider>> providers) {
        this.targets = targets;
        this.providers = providers;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(CREATE.bind(this::create), GET.bind(this::transports));
    }

    private Object create(CreateTransport params) throws Exception {
        NvmfTarget target = targets.get().get(params.tgtName());
        NvmfTransportProvider provider = provider(params.trtype());
        TransportOptions options = params.over(provider.defaults());
        try {
            target.addTransport(provider.trtype(), () -> provider.create(target, options));
        } catch (RpcException | IllegalArgumentException | InterruptedException e) {
            throw e;
        } catch (IllegalStateException e) {
            throw RpcException.internal(e.getMessage());
        } catch (Exception e) {
            throw new RpcException(RpcException.INTERNAL_ERROR, "trtype=" + params.trtype()
                    + ": the transport cannot be made: " + e.getMessage(), e);
        }
        return true;
    }

    private NvmfTransportProvider provider(String trtype) {
        for (NvmfTransportProvider provider : providers.get()) {
            if (provider.trtype().equalsIgnoreCase(trtype)) {
                return provider;
            }
        }
        List<String> names = providers.get().stream().map(NvmfTransportProvider::trtype).sorted().toList();
        String sentence = "trtype='" + trtype + "' is no kind of transport that there is here; there are "
                + (names.isEmpty() ? "none" : String.join(", ", names));
        throw KNOWN.contains(trtype.toUpperCase(Locale.ROOT))
                ? RpcException.internal(sentence)
                : RpcException.invalidParams(sentence);
    }

    private Object transports(GetTransports params) {
        NvmfTarget target = targets.get().get(params.tgtName());
        return chosen(target, params.trtype()).stream()
                .map(transport -> CreateTransport.of(transport, Optional.empty())).toList();
    }

    private static List<NvmfTransport> chosen(NvmfTarget target, Optional<String> trtype) {
        if (trtype.isEmpty()) {
            return target.transports();
        }
        return List.of(target.transport(trtype.get()).orElseThrow(() -> RpcException.errno(Errno.ENODEV,
                "trtype=" + trtype.get() + ": target " + target.name() + " has no such transport")));
    }
}
