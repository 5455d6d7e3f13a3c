package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.Referral;
import io.spindrift.nvmf.rpc.TargetMethods.OfTarget;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Referrals to other discovery services.
final class ReferralMethods {
    record AddReferral(
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Description("where the other service is") ListenAddress address,
            @Default("false") @Description("it wants TLS") boolean secureChannel,
            @Default(Nqn.DISCOVERY) @Description("its NQN") String subnqn) {
        AddReferral {
            Nqn.check("subnqn", subnqn);
        }

        static AddReferral of(Referral referral, Optional<String> tgtName) {
            return new AddReferral(tgtName, ListenAddress.of(referral.address()), referral.secureChannel(),
                    referral.subnqn());
        }
    }

    record RemoveReferral(
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Description("where the other service is") ListenAddress address,
            @Default(Nqn.DISCOVERY) @Description("its NQN") String subnqn) {}

    record AddReferralForm(
            @Option({
                    "-t", "--trtype"})
            @Description("transport: TCP, RDMA") String trtype,
            @Option({"-a", "--traddr"}) @Description("address") String traddr,
            @Option({"-p", "--tgt-name"}) @Description("the target") Optional<String> tgtName,
            @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6, IB, FC") Optional<String> adrfam,
            @Option({"-s", "--trsvcid"}) @Description("port") Optional<String> trsvcid,
            @Option({"-k", "--secure-channel"}) @Default("false") @Description("it wants TLS") boolean secureChannel,
            @Option({"-n", "--subnqn"}) @Description("its NQN") Optional<String> subnqn)
            implements
                CliForm<AddReferral> {
        @Override
        public AddReferral toParams() {
            return new AddReferral(tgtName, new ListenAddress(trtype, adrfam, traddr, trsvcid), secureChannel,
                    subnqn.orElse(Nqn.DISCOVERY));
        }
    }

    record RemoveReferralForm(
            @Option({
                    "-t", "--trtype"})
            @Description("transport: TCP, RDMA") String trtype,
            @Option({"-a", "--traddr"}) @Description("address") String traddr,
            @Option({"-p", "--tgt-name"}) @Description("the target") Optional<String> tgtName,
            @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6, IB, FC") Optional<String> adrfam,
            @Option({"-s", "--trsvcid"}) @Description("port") Optional<String> trsvcid,
            @Option({"-n", "--subnqn"}) @Description("its NQN") Optional<String> subnqn)
            implements
                CliForm<RemoveReferral> {
        @Override
        public RemoveReferral toParams() {
            return new RemoveReferral(tgtName, new ListenAddress(trtype, adrfam, traddr, trsvcid),
                    subnqn.orElse(Nqn.DISCOVERY));
        }
    }

    /// A referral in results.
    record Report(ListenAddress address, boolean secureChannel, String subnqn) {
        static Report of(Referral referral) {
            return new Report(ListenAddress.of(referral.address()), referral.secureChannel(), referral.subnqn());
        }
    }

    static final RpcMethod<AddReferral> ADD = RpcMethod
            .of("nvmf_discovery_add_referral", AddReferral.class, RUNTIME).cli(AddReferralForm.class)
            .summary("Has the discovery log point to another service.");
    static final RpcMethod<RemoveReferral> REMOVE = RpcMethod
            .of("nvmf_discovery_remove_referral", RemoveReferral.class, RUNTIME).cli(RemoveReferralForm.class)
            .summary("Takes a referral out of the discovery log.");
    static final RpcMethod<OfTarget> GET = RpcMethod.of("nvmf_discovery_get_referrals", OfTarget.class, RUNTIME)
            .summary("Shows the referrals.");

    static final List<RpcMethod<?>> ALL = List.of(ADD, REMOVE, GET);

    private final Supplier<NvmfTargets> targets;

    ReferralMethods(Supplier<NvmfTargets> targets) {
        this.targets = targets;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(ADD.bind(this::add), REMOVE.bind(this::remove),
                GET.bind(params -> targets.get().get(params.tgtName()).referrals().stream().map(Report::of).toList()));
    }

    private Object add(AddReferral params) {
        String trtype = params.address().address().trtype();
        if (params.address().trsvcid().orElse("").isEmpty() && (trtype.equals("TCP") || trtype.equals("RDMA"))) {
            throw RpcException.internal("address.trsvcid is missing: " + trtype + " needs a port");
        }
        targets.get().get(params.tgtName()).addReferral(new Referral(params.address().address(),
                params.secureChannel(), params.subnqn()));
        return true;
    }

    private Object remove(RemoveReferral params) {
        if (!targets.get().get(params.tgtName()).removeReferral(params.address().address(), params.subnqn())) {
            throw RpcException.internal("address=" + params.address().address() + ", subnqn=" + params.subnqn()
                    + ": there is no such referral");
        }
        return true;
    }
}
