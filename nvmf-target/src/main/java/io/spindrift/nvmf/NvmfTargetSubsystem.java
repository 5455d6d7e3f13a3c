package io.spindrift.nvmf;

import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.nvmf.rpc.TargetRpcs;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import java.util.List;
import java.util.ServiceLoader;

/// The target as a part of an application, called `nvmf`: its own target, `nvmf_tgt`, those that RPCs add, and the
/// transports that are found as services.
///
/// All methods run on the control path.
public final class NvmfTargetSubsystem implements Subsystem {
    /// The name of the target that every application has.
    public static final String OWN_TARGET = "nvmf_tgt";

    private final BdevSubsystem bdev;
    private final NvmfEngine engine;
    private final List<NvmfTransportProvider> providers;
    private final TargetRpcs rpcs;
    private volatile NvmfTargets targets;

    /// The subsystem of `application`, with the devices of `bdev`, controllers of `engine`, and all transports that are
    /// found, in plug-ins too.
    public NvmfTargetSubsystem(Application application, BdevSubsystem bdev, NvmfEngine engine) {
        this(bdev, engine, application.plugins()
                .services(layer -> ServiceLoader.load(layer, NvmfTransportProvider.class)));
    }

    /// As the other, with these transports.
    public NvmfTargetSubsystem(BdevSubsystem bdev, NvmfEngine engine, List<NvmfTransportProvider> providers) {
        this.bdev = bdev;
        this.engine = engine;
        this.providers = List.copyOf(providers);
        this.rpcs = new TargetRpcs(this::targets, () -> this.providers);
    }

    @Override
    public String name() {
        return "nvmf";
    }

    @Override
    public List<String> dependsOn() {
        return List.of("bdev", "iobuf", "sock");
    }

    @Override
    public void registerRpcs(RpcRegistry registry) {
        rpcs.register(registry);
    }

    /// The targets, from the end of [#init()] on.
    public NvmfTargets targets() {
        NvmfTargets current = targets;
        if (current == null) {
            throw new IllegalStateException("subsystem nvmf is not initialised");
        }
        return current;
    }

    @Override
    public void init() {
        NvmfTargets made = new NvmfTargets(bdev.registry(), engine);
        made.create(OWN_TARGET, rpcs.options());
        targets = made;
    }

    @Override
    public void shutdown() throws Exception {
        targets().close();
    }

    @Override
    public List<ConfigEntry> config() {
        NvmfTargets current = targets;
        return rpcs.config(OWN_TARGET, current == null ? List.of() : current.all());
    }
}
