package io.spindrift.bdev;

import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.log.LogFlag;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The block layer as a part of an application: the registry, the bdev modules that are found as services, their RPCs.
///
/// All methods run on the control path.
public final class BdevSubsystem implements Subsystem {
    private final Application application;
    private final BdevModules modules;
    private final List<Object> parts;
    private volatile BdevOptions options = BdevOptions.DEFAULT;
    private volatile BdevRegistry registry;

    /// The subsystem of `application`, with all modules that it finds, in plug-ins too. They may use `parts`, which live as
    /// long as the subsystem.
    public BdevSubsystem(Application application, Object... parts) {
        this.application = application;
        this.parts = Stream.concat(Stream.of(parts), Stream.of(application.options().pci())).toList();
        this.modules = new BdevModules(application.plugins());
    }

    @Override
    public String name() {
        return "bdev";
    }

    @Override
    public List<String> dependsOn() {
        return List.of("iobuf");
    }

    /// The devices, from the end of [#init()] on.
    public BdevRegistry registry() {
        BdevRegistry current = registry;
        if (current == null) {
            throw new IllegalStateException("subsystem bdev is not initialised");
        }
        return current;
    }

    @Override
    public void registerRpcs(RpcRegistry rpcs) throws Exception {
        rpcs.register(BdevRpcs.SET_OPTIONS, params -> {
            try {
                options = params.over(options);
            } catch (IllegalArgumentException e) {
                throw RpcException.errno(Errno.EINVAL, e.getMessage());
            }
            return true;
        });
        rpcs.register(BdevRpcs.GET_BDEVS, this::bdevs);
        rpcs.register(BdevRpcs.EXAMINE, params -> {
            registry().examineByHand(params.name());
            return true;
        });
        rpcs.register(BdevRpcs.WAIT_FOR_EXAMINE, _ -> new RpcWait(() -> {
            registry().waitForExamine();
            return true;
        }));
        rpcs.register(BdevRpcs.GET_IOSTAT, this::statistics);
        rpcs.register(BdevRpcs.RESET_IOSTAT, params -> {
            List<Bdev> chosen = params.name().map(name -> List.of(registry().get(name)))
                    .orElseGet(() -> registry().bdevs());
            chosen.forEach(bdev -> registry().monitor().statistics(bdev, params.mode().reset()));
            return true;
        });
        rpcs.register(BdevRpcs.ENABLE_HISTOGRAM, params -> {
            Bdev bdev = registry().get(params.name());
            if (params.enable()) {
                registry().monitor().enableHistogram(bdev, params.spec());
            } else {
                registry().monitor().disableHistogram(bdev);
            }
            return true;
        });
        rpcs.register(BdevRpcs.GET_HISTOGRAM, params -> BdevReports.histogram(histogram(params.name())));
        rpcs.register(BdevRpcs.GET_HISTOGRAM_BORDERS,
                params -> BdevReports.borders(histogram(params.name()), params.borders()));
        rpcs.register(BdevRpcs.SET_QD_SAMPLING_PERIOD, params -> {
            registry().monitor().sampleQueueDepth(registry().get(params.name()), params.period());
            return true;
        });
        modules.declare(rpcs);
    }

    /// A list, or the wait for the bdev that was asked for.
    private Object bdevs(BdevRpcs.GetBdevsParams params) {
        if (params.name().isEmpty()) {
            return registry().bdevs().stream().map(BdevReports::bdev).toList();
        }
        String name = params.name().get();
        long timeout = params.timeout().orElse(0);
        if (timeout > 0 && registry().find(name).isEmpty()) {
            return new RpcWait(() -> List.of(BdevReports.bdev(registry().await(name, timeout))));
        }
        return List.of(BdevReports.bdev(registry().get(name)));
    }

    private Map<String, Object> statistics(BdevRpcs.GetIostatParams params) {
        List<Bdev> chosen = params.names().map(names -> names.stream().map(registry()::get).toList())
                .orElseGet(() -> registry().bdevs());
        StatisticsReset reset = params.resetMode().reset();
        if (!params.perChannel()) {
            return BdevReports.statistics(chosen, registry().monitor(), reset);
        }
        if (params.names().isEmpty() || chosen.size() != 1) {
            throw RpcException.invalidParams("per_channel=true needs exactly one bdev in names");
        }
        return BdevReports.statisticsByThread(chosen.getFirst(), registry().monitor(), reset);
    }

    private LatencyHistogram histogram(String name) {
        return registry().monitor().histogram(registry().get(name)).orElseThrow(() -> new ErrnoException(Errno.ENOMEM,
                "name='" + name + "': no histogram is kept; bdev_enable_histogram begins one"));
    }

    @Override
    public void init() throws Exception {
        LogFlag flag = application.log().flag("bdev");
        BdevRegistry made = new BdevRegistry(application.reactors(), application.notifications(), application.memory(),
                application.bufferPools(), options, line -> application.log().debug(flag, "%s", line));
        registry = made;
        boolean complete = false;
        try {
            modules.init(new BdevModuleContext(made, application.reactors(), application.memory(), application.log(),
                    parts));
            complete = true;
        } finally {
            if (!complete) {
                shutdown();
            }
        }
    }

    /// Ends what has been initialised: all of it, or what there was when a module failed.
    @Override
    public void shutdown() throws Exception {
        BdevRegistry ending = registry();
        ending.unregisterAll();
        for (BdevModule module : ending.modules().reversed()) {
            module.close();
        }
        ending.close();
    }

    @Override
    public List<ConfigEntry> config() {
        List<ConfigEntry> entries = new ArrayList<>();
        entries.add(new ConfigEntry(BdevRpcs.SET_OPTIONS.name(), BdevRpcs.SetOptionsParams.of(options)));
        BdevRegistry present = registry;
        if (present == null) {
            return entries;
        }
        for (BdevModule module : present.modules()) { // those that have started
            entries.addAll(config(module, "its options", module::config));
        }
        for (Bdev bdev : present.bdevs()) {
            entries.addAll(config(bdev.module(), "bdev " + bdev.name(), () -> bdev.backend().config(bdev)));
        }
        entries.add(new ConfigEntry(BdevRpcs.WAIT_FOR_EXAMINE.name(), new NoParams()));
        return entries;
    }

    /// What `module` says; nothing if it fails, so that the rest can be saved all the same.
    private List<ConfigEntry> config(BdevModule module, String what, Supplier<List<ConfigEntry>> entries) {
        try {
            List<ConfigEntry> given = List.copyOf(Objects.requireNonNull(entries.get(), "config() returned null"));
            given.forEach(entry -> Json.tree(entry.params()));
            return given;
        } catch (RuntimeException | LinkageError e) {
            application.log().error(e,
                    "bdev module %s does not say how to make %s again: the saved configuration lacks "
                            + "it",
                    module.name(), what);
            return List.of();
        }
    }
}
