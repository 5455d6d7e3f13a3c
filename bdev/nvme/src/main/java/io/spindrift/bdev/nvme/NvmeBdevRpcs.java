package io.spindrift.bdev.nvme;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvme.TransportId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The methods of this module.
public final class NvmeBdevRpcs implements RpcCatalog {
    record SetHotplugParams(
            @Option({"-r", "--period-us"}) @Unsigned(64)
            @Description("how often devices are looked for, in us") OptionalLong periodUs,
            @Option({"--hotplug", "--no-hotplug"}) @Description("look for devices") boolean enable) {}

    record GetControllersParams(
            @Option({"-n", "--name"}) @Description("only those of this name") Optional<String> name) {}

    record DetachParams(
            @Positional @Description("name of the controller") String name,
            @Option({
                    "-t", "--trtype"})
            @Description("only paths of this transport") Optional<String> trtype,
            @Option({"-a", "--traddr"}) @Description("only paths to this address") Optional<String> traddr,
            @Option({"-f", "--adrfam"}) @Description("only paths to addresses of this kind") Optional<String> adrfam,
            @Option({"-s", "--trsvcid"}) @Description("only paths to this port") Optional<String> trsvcid,
            @Option({"-n", "--subnqn"}) @Description("only paths to this subsystem") Optional<String> subnqn,
            @Option({"-i", "--hostaddr"}) @Description("only paths from this address") Optional<String> hostaddr,
            @Option({"-c", "--hostsvcid"}) @Description("only paths from this port") Optional<String> hostsvcid) {
        /// Whether the path to `id` of a controller with these settings is meant.
        boolean matches(TransportId id, PathSettings settings) {
            return is(trtype, id.trtype()) && is(traddr, id.traddr())
                    && is(adrfam, id.adrfam().map(family -> family.text()).orElse("")) && is(trsvcid, id.trsvcid())
                    && is(subnqn, id.subnqn()) && is(hostaddr, settings.driver().host().address().orElse(""))
                    && is(hostsvcid, settings.driver().host().service().orElse(""));
        }

        private static boolean is(Optional<String> wanted, String actual) {
            return wanted.isEmpty() || wanted.get().equalsIgnoreCase(actual);
        }
    }

    record ControllerParams(
            @Positional @Description("name of the controller") String name,
            @Option({"-c", "--cntlid"}) @Unsigned(16)
            @Description("only the path with this controller ID") OptionalInt cntlid) {}

    static final RpcMethod<SetOptionsParams> SET_OPTIONS = RpcMethod
            .of("bdev_nvme_set_options", SetOptionsParams.class, STARTUP, RUNTIME).cli(SetOptionsForm.class)
            .summary("Sets the options of NVMe bdevs, before any controller is attached.");
    static final RpcMethod<SetHotplugParams> SET_HOTPLUG = RpcMethod
            .of("bdev_nvme_set_hotplug", SetHotplugParams.class, RUNTIME)
            .summary("Has NVMe devices attached as they are plugged in.");
    static final RpcMethod<AttachParams> ATTACH = RpcMethod
            .of("bdev_nvme_attach_controller", AttachParams.class, RUNTIME).cli(AttachForm.class)
            .summary("Connects to an NVMe controller and makes bdevs of its namespaces.");
    static final RpcMethod<DetachParams> DETACH = RpcMethod
            .of("bdev_nvme_detach_controller", DetachParams.class, RUNTIME)
            .summary("Removes a controller and its bdevs, or some of its paths.");
    static final RpcMethod<GetControllersParams> GET_CONTROLLERS = RpcMethod
            .of("bdev_nvme_get_controllers", GetControllersParams.class, RUNTIME)
            .summary("Shows the NVMe controllers that are attached.");
    static final RpcMethod<ControllerParams> RESET = RpcMethod
            .of("bdev_nvme_reset_controller", ControllerParams.class, RUNTIME)
            .summary("Resets an NVMe controller: connects it anew.");
    static final RpcMethod<ControllerParams> ENABLE = RpcMethod
            .of("bdev_nvme_enable_controller", ControllerParams.class, RUNTIME)
            .summary("Connects an NVMe controller that was disabled.");
    static final RpcMethod<ControllerParams> DISABLE = RpcMethod
            .of("bdev_nvme_disable_controller", ControllerParams.class, RUNTIME)
            .summary("Disconnects an NVMe controller until it is enabled.");

    /// For the service loader.
    public NvmeBdevRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        List<RpcMethod<?>> all = new ArrayList<>(
                List.of(SET_OPTIONS, SET_HOTPLUG, ATTACH, DETACH, GET_CONTROLLERS, RESET, ENABLE, DISABLE));
        all.addAll(PathRpcs.methods());
        all.addAll(CommandRpcs.methods());
        all.addAll(DiscoveryRpcs.methods());
        return all;
    }
}
