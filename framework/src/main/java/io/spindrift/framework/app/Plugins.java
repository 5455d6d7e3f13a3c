package io.spindrift.framework.app;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.module.ResolutionException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What third parties add to a program: jars in a folder, each a [ModuleLayer] of its own below the program's.
///
/// A plug-in is a jar, or a folder of jars that belong together. It adds bdev modules, transports and RPCs as services,
/// exactly as the program's own modules do, and it alone gets access to native code, not everything on some class
/// path. A plug-in that cannot be loaded is told in one sentence that names it, and the others run.
///
/// Control path.
public final class Plugins {
    /// The folder that is always searched if it exists: where the launcher says the installation has its plug-ins.
    public static final String FOLDER_PROPERTY = "spindrift.plugins";

    private record Plugin(Path source, ModuleLayer layer) {}

    private final ModuleLayer program;
    private final List<Plugin> plugins = new ArrayList<>();
    private final Consumer<String> problem;

    private Plugins(ModuleLayer program, Consumer<String> problem) {
        this.program = program;
        this.problem = problem;
    }

    /// Loads what lies in `folders`, and in the folder that [#FOLDER_PROPERTY] names; `problem` is told of everything
    /// that cannot be loaded, now and when its services are asked for.
    public static Plugins load(List<Path> folders, Consumer<String> problem) {
        ModuleLayer own = Plugins.class.getModule().getLayer();
        Plugins plugins = new Plugins(own == null ? ModuleLayer.boot() : own, problem);
        String installed = System.getProperty(FOLDER_PROPERTY, "");
        if (!installed.isEmpty() && Files.isDirectory(Path.of(installed))) {
            plugins.loadFolder(Path.of(installed));
        }
        folders.forEach(plugins::loadFolder);
        return plugins;
    }

    private void loadFolder(Path folder) {
        List<Path> candidates = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(candidates::add);
        } catch (IOException e) {
            problem.accept("plug-in folder " + folder + " cannot be read: " + e);
        }
        candidates.stream().filter(path -> isJar(path) || Files.isDirectory(path)).sorted().forEach(this::loadPlugin);
    }

    private static boolean isJar(Path path) {
        return path.toString().endsWith(".jar");
    }

    private void loadPlugin(Path source) {
        try (Stream<Path> files = isJar(source) ? Stream.of(source) : Files.list(source).filter(Plugins::isJar)) {
            plugins.add(new Plugin(source, layer(ModuleFinder.of(files.sorted().toArray(Path[]::new)))));
        } catch (IOException | FindException | ResolutionException | LayerInstantiationException
                | SecurityException e) {
            problem.accept("plug-in " + source + " is not loaded: " + reason(e));
        }
    }

    @SuppressWarnings("restricted") // access to native code for what the user put into the folder, and nothing else
    private ModuleLayer layer(ModuleFinder finder) {
        Set<String> names = finder.findAll().stream().map(ModuleReference::descriptor).map(d -> d.name())
                .collect(Collectors.toSet());
        Configuration configuration = program.configuration().resolveAndBind(finder, ModuleFinder.of(), names);
        ModuleLayer.Controller controller = ModuleLayer.defineModulesWithOneLoader(configuration, List.of(program),
                Plugins.class.getClassLoader());
        controller.layer().modules().forEach(controller::enableNativeAccess);
        return controller.layer();
    }

    private static String reason(Throwable e) {
        String own = e.getMessage() == null ? e.toString() : e.getMessage();
        Throwable cause = e.getCause();
        return cause == null || cause.getMessage() == null || own.contains(cause.getMessage())
                ? own
                : own + ": " + cause.getMessage();
    }

    /// The program's services and then those of the plug-ins. `find` calls [ServiceLoader#load(ModuleLayer, Class)]
    /// with its argument; it is the caller's, whose module says `uses`. Each call makes new instances.
    public <S> List<S> services(Function<ModuleLayer, ServiceLoader<S>> find) {
        List<S> services = new ArrayList<>();
        find.apply(program).forEach(services::add);
        for (Plugin plugin : plugins) {
            try {
                find.apply(plugin.layer()).stream().filter(p -> p.type().getModule().getLayer() == plugin.layer())
                        .map(ServiceLoader.Provider::get).forEach(services::add);
            } catch (ServiceConfigurationError | LinkageError e) {
                problem.accept("plug-in " + plugin.source() + " is not used: " + reason(e));
            }
        }
        return services;
    }

    /// Tells in one sentence that `service`, called `what`, cannot be used because of `failure`, if it is a plug-in's.
    /// Returns false, and tells nothing, if it is the program's own.
    public boolean refuse(Object service, String what, Throwable failure) {
        ModuleLayer layer = service.getClass().getModule().getLayer();
        Optional<Plugin> owner = plugins.stream().filter(plugin -> plugin.layer() == layer).findFirst();
        owner.ifPresent(plugin -> problem
                .accept("plug-in " + plugin.source() + ": " + what + " is not used: " + reason(failure)));
        return owner.isPresent();
    }

    /// The layer of the program itself.
    ModuleLayer program() {
        return program;
    }

    /// The files and folders that were loaded.
    public List<Path> sources() {
        return plugins.stream().map(Plugin::source).toList();
    }
}
