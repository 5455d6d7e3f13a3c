package io.spindrift.bdev;

import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.app.Plugins;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// The bdev modules of an application, in plug-ins too: declares their methods, and later starts them.
///
/// One that fails ends the start if it is the program's own. One of a plug-in is told, by name, and left out: its methods
/// and bdevs are gone then. Control path, on one thread after the other; those that have started are known to everyone
/// by [BdevRegistry#modules()].
final class BdevModules {
    /// Something that a module may fail at.
    private interface Step {
        void run() throws Exception;
    }

    /// A module, and what it has said of itself.
    private static final class Found {
        final BdevModule module;
        String name;
        List<RpcBinding<?>> methods = List.of();

        Found(BdevModule module) {
            this.module = module;
            this.name = module.getClass().getName(); // until it tells its own, at which it may fail
        }
    }

    private final Plugins plugins;
    /// Those that are not left out, the program's own first.
    private final List<Found> modules = new ArrayList<>();
    private RpcRegistry rpcs;

    /// All modules that are found in the program and in `plugins`.
    BdevModules(Plugins plugins) {
        this.plugins = plugins;
        plugins.services(layer -> ServiceLoader.load(layer, BdevModule.class))
                .forEach(module -> modules.add(new Found(module)));
    }

    /// Adds the methods of all modules to `registered`.
    void declare(RpcRegistry registered) throws Exception {
        rpcs = registered;
        for (Found found : List.copyOf(modules)) {
            if (!attempt(found, () -> declare(found))) {
                leaveOut(found);
            }
        }
    }

    private void declare(Found found) {
        found.name = name(found);
        List<RpcBinding<?>> methods = List.copyOf(found.module.rpcs());
        rpcs.register(methods);
        found.methods = methods;
    }

    /// The name that the module gives, which no other has.
    private String name(Found found) {
        String name = found.module.name();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("name() must give a name");
        }
        for (Found other : modules) {
            if (other != found && name.equals(other.name)) {
                throw new IllegalArgumentException("its name, " + name + ", is that of another bdev module, "
                        + other.module.getClass().getName());
            }
        }
        return name;
    }

    /// Starts the modules, and adds each to the registry of `context`.
    void init(BdevModuleContext context) throws Exception {
        for (Found found : List.copyOf(modules)) {
            if (attempt(found, () -> found.module.init(context))) {
                context.registry().add(found.module);
            } else {
                leaveOut(found);
                attempt(found, () -> removeBdevs(found.module, context.registry()));
            }
        }
    }

    private void leaveOut(Found found) {
        modules.remove(found);
        rpcs.unregister(found.methods);
    }

    private static void removeBdevs(BdevModule module, BdevRegistry registry) throws Exception {
        for (Bdev bdev : registry.bdevs()) {
            if (bdev.module() == module) {
                registry.unregister(bdev);
            }
        }
    }

    /// Runs `step`. False if it failed, at whatever, and that was told, because the module is a plug-in's.
    private boolean attempt(Found found, Step step) throws Exception {
        try {
            step.run();
            return true;
        } catch (InterruptedException stop) {
            throw stop;
        } catch (Throwable e) { // an error of a plug-in is no reason to end the application
            if (!plugins.refuse(found.module, "bdev module " + found.name, e)) {
                throw e;
            }
            return false;
        }
    }
}
