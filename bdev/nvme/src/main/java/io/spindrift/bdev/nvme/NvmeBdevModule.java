package io.spindrift.bdev.nvme;

import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.app.PciFlags;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.HostIdentity;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spi.NvmeTransportProvider;
import io.spindrift.sock.Sockets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.UUID;

/// Makes bdevs of the namespaces of NVMe controllers. See the manual in this module's folder.
public final class NvmeBdevModule implements BdevModule {
    /// The shortest is the usual one.
    private static final long HOTPLUG_PERIOD_US = 100_000;
    private static final long HOTPLUG_LONGEST_US = 10_000_000;

    private final Iterable<NvmeTransportProvider> transports;
    /// Who this application is to controllers, unless a name is given.
    private final HostIdentity host = HostIdentity.of(UUID.randomUUID());
    private volatile NvmeBdevOptions options = NvmeBdevOptions.DEFAULT;
    private volatile NvmeBdevRpcs.SetHotplugParams hotplug = new NvmeBdevRpcs.SetHotplugParams(
            OptionalLong.of(HOTPLUG_PERIOD_US), false);
    private volatile Optional<NvmeBdevs> bdevs = Optional.empty();
    private final DiscoveryRpcs discoveries = new DiscoveryRpcs(this::bdevs, params -> params.settings(host, options));
    private Optional<Hotplug> looking = Optional.empty(); // guarded by this

    /// For the service loader.
    public NvmeBdevModule() {
        this(ServiceLoader.load(NvmeTransportProvider.class));
    }

    /// With the transports that a test gives.
    NvmeBdevModule(Iterable<NvmeTransportProvider> transports) {
        this.transports = transports;
    }

    @Override
    public String name() {
        return "nvme";
    }

    @Override
    public List<RpcBinding<?>> rpcs() {
        List<RpcBinding<?>> all = new ArrayList<>(ownRpcs());
        all.addAll(PathRpcs.bindings(this::bdevs));
        all.addAll(CommandRpcs.bindings(this::bdevs));
        all.addAll(discoveries.bindings());
        return all;
    }

    private List<RpcBinding<?>> ownRpcs() {
        return List.of(NvmeBdevRpcs.SET_OPTIONS.bind(params -> {
            setOptions(params);
            return true;
        }), NvmeBdevRpcs.SET_HOTPLUG.bind(params -> {
            setHotplug(params);
            return true;
        }), NvmeBdevRpcs.ATTACH.bind(this::attach), NvmeBdevRpcs.DETACH.bind(params -> {
            bdevs().detach(params.name(), params::matches);
            return true;
        }), NvmeBdevRpcs.GET_CONTROLLERS.bind(params -> params.name().map(name -> List.of(bdevs().get(name)))
                .orElseGet(() -> bdevs().subsystems()).stream().map(NvmeBdevReports::subsystem).toList()),
                NvmeBdevRpcs.RESET.bind(params -> {
                    for (ControllerPath path : chosen(params)) {
                        path.reset();
                    }
                    return true;
                }), NvmeBdevRpcs.ENABLE.bind(params -> {
                    for (ControllerPath path : chosen(params)) {
                        path.enable();
                    }
                    return true;
                }), NvmeBdevRpcs.DISABLE.bind(params -> {
                    chosen(params).forEach(ControllerPath::disable);
                    return true;
                }));
    }

    @Override
    public void init(BdevModuleContext context) {
        Sockets sockets = context.part(Sockets.class)
                .orElseThrow(() -> new IllegalStateException("the NVMe bdev needs the application's sockets"));
        NvmeDriver driver = new NvmeDriver(new DriverContext(context.reactors(), context.memory(), sockets,
                context.log(), context.part(PciFlags.class).orElse(PciFlags.DEFAULT)), transports);
        bdevs = Optional.of(new NvmeBdevs(this, context, driver, options));
    }

    @Override
    public void close() {
        stopLooking();
        discoveries.close();
        bdevs.ifPresent(NvmeBdevs::close);
    }

    private NvmeBdevs bdevs() {
        return bdevs.orElseThrow(() -> new IllegalStateException("the module nvme has not started"));
    }

    // ---- options ----------------------------------------------------------------------------------------------

    private void setOptions(SetOptionsParams params) {
        NvmeBdevOptions changed = checked(params);
        bdevs.ifPresent(all -> all.options(changed));
        options = changed;
    }

    private NvmeBdevOptions checked(SetOptionsParams params) {
        try {
            return params.over(options);
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, e.getMessage());
        }
    }

    private synchronized void setHotplug(NvmeBdevRpcs.SetHotplugParams params) {
        long periodUs = Math.clamp(params.periodUs().orElse(HOTPLUG_PERIOD_US), HOTPLUG_PERIOD_US, HOTPLUG_LONGEST_US);
        hotplug = new NvmeBdevRpcs.SetHotplugParams(OptionalLong.of(periodUs), params.enable());
        stopLooking();
        if (params.enable()) {
            Hotplug begun = new Hotplug(bdevs(), new PathSettings(DriverSettings.of(options, host),
                    options.lossTimeouts(), 0, true, options.multipathOpts().toPolicy(), Integer.MAX_VALUE, true));
            looking = Optional.of(begun);
            begun.start(periodUs);
        }
    }

    private synchronized void stopLooking() {
        looking.ifPresent(Hotplug::stop);
        looking = Optional.empty();
    }

    // ---- controllers ------------------------------------------------------------------------------------------

    private List<String> attach(AttachParams params) throws Exception {
        PathSettings settings;
        TransportId id;
        try {
            id = params.id();
            settings = params.settings(host, options);
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, e.getMessage());
        }
        return bdevs().attach(params.name(), id, settings, params.multipath() != AttachParams.Multipath.DISABLE)
                .stream().map(NvmeBdev::name).limit(settings.maxBdevs()).toList();
    }

    /// The paths of a name, or the one with a controller ID; ENODEV if there is none.
    private List<ControllerPath> chosen(NvmeBdevRpcs.ControllerParams params) {
        List<ControllerPath> paths = bdevs().get(params.name()).paths().stream()
                .filter(path -> params.cntlid().isEmpty()
                        || path.controller().data().cntlid() == params.cntlid().getAsInt())
                .toList();
        if (paths.isEmpty()) {
            throw new ErrnoException(Errno.ENODEV, "controller " + params.name() + " has no path with cntlid="
                    + params.cntlid().getAsInt());
        }
        return paths;
    }

    // ---- configuration ----------------------------------------------------------------------------------------

    @Override
    public List<ConfigEntry> config() {
        List<ConfigEntry> calls = new ArrayList<>();
        calls.add(new ConfigEntry(NvmeBdevRpcs.SET_OPTIONS.name(), SetOptionsParams.of(options)));
        bdevs.ifPresent(all -> all.subsystems().forEach(each -> attachCalls(each, calls)));
        bdevs.ifPresent(all -> all.subsystems().forEach(subsystem -> subsystem.bdevs()
                .forEach(bdev -> PathRpcs.config(bdev).ifPresent(calls::add))));
        calls.addAll(discoveries.config());
        calls.add(new ConfigEntry(NvmeBdevRpcs.SET_HOTPLUG.name(), hotplug));
        return calls;
    }

    private static void attachCalls(AttachedSubsystem subsystem, List<ConfigEntry> calls) {
        for (ControllerPath path : subsystem.paths()) {
            if (!path.settings().discovered()) {
                path.ids().forEach(id -> calls.add(new ConfigEntry(NvmeBdevRpcs.ATTACH.name(),
                        AttachParams.of(subsystem.name(), id, path.settings()))));
            }
        }
    }
}
