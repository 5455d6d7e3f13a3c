package io.spindrift.bdev;

import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.app.Plugins;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/// The bdev modules of an application, in plug-ins too: declares their methods, and later starts them.
///
/// One that fails ends the start if it is the program's own. One of a plug-in is told, by name, and left out: its methods
/// and bdevs are gone then. Control path.
final class BdevModules {
    /// Something that a module may fail at.
    private interface Step {
        void run() throws Exception;
    }

    private final Plugins plugins;
    private final List<BdevModule> modules;
    private final Map<BdevModule, List<RpcBinding<?>>> declared = new LinkedHashMap<>();
    private RpcRegistry rpcs;

    /// All modules that are found in the program and in `plugins`.
    BdevModules(Plugins plugins) {
        this.plugins = plugins;
        this.modules = new ArrayList<>(plugins.services(layer -> ServiceLoader.load(layer, BdevModule.class)));
    }

    /// Those that are not left out, the program's own first.
    List<BdevModule> all() {
        return List.copyOf(modules);
    }

    /// Adds the methods of all modules to `registered`.
    void declare(RpcRegistry registered) throws Exception {
        rpcs = registered;
        for (BdevModule module : all()) {
            if (!attempt(module, () -> declare(module))) {
                leaveOut(module);
            }
        }
    }

    private void declare(BdevModule module) {
        List<RpcBinding<?>> bindings = List.copyOf(module.rpcs());
        rpcs.register(bindings);
        declared.put(module, bindings);
    }

    /// Starts the modules, and adds each to the registry of `context`.
    void init(BdevModuleContext context) throws Exception {
        for (BdevModule module : all()) {
            if (attempt(module, () -> module.init(context))) {
                context.registry().add(module);
            } else {
                leaveOut(module);
                attempt(module, () -> removeBdevs(module, context.registry()));
            }
        }
    }

    private void leaveOut(BdevModule module) {
        modules.remove(module);
        rpcs.unregister(declared.getOrDefault(module, List.of()));
    }

    private static void removeBdevs(BdevModule module, BdevRegistry registry) throws Exception {
        for (Bdev bdev : registry.bdevs()) {
            if (bdev.module() == module) {
                registry.unregister(bdev);
            }
        }
    }

    /// Runs `step`. False if it failed and that was told, because the module is a plug-in's.
    private boolean attempt(BdevModule module, Step step) throws Exception {
        try {
            step.run();
            return true;
        } catch (InterruptedException stop) {
            throw stop;
        } catch (Exception | LinkageError e) {
            if (!plugins.refuse(module, "bdev module " + module.name(), e)) {
                throw e;
            }
            return false;
        }
    }
}
