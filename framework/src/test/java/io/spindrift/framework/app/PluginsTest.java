package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcCatalog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {
    private static final String CATALOG = """
            package PACKAGE;
            import io.spindrift.framework.rpc.*;
            import java.util.List;
            public class Rpcs implements RpcCatalog {
                public record None() {}
                public List<RpcMethod<?>> methods() {
                    return List.of(RpcMethod.of("PACKAGE_hello", None.class, RpcState.RUNTIME));
                }
            }
            """;

    @TempDir
    Path folder;
    @TempDir
    Path work;

    private final List<String> problems = new ArrayList<>();

    /// Makes a jar of a module called `name` that provides an RPC called `name_hello`.
    private Path jar(String name, Path target) throws Exception {
        return jar(name, target, CATALOG.replace("PACKAGE", name));
    }

    private Path jar(String name, Path target, String source) throws Exception {
        Path sources = Files.createDirectories(work.resolve(name + "/src/" + name)).getParent();
        Path classes = work.resolve(name + "/classes");
        Files.writeString(sources.resolve("module-info.java"), "module " + name
                + " { requires io.spindrift.framework; provides io.spindrift.framework.rpc.RpcCatalog with " + name
                + ".Rpcs; }");
        Files.writeString(sources.resolve(name + "/Rpcs.java"), source);
        String modules = ModuleLayer.boot().configuration().modules().stream()
                .map(module -> module.reference().location().orElseThrow())
                .filter(uri -> uri.getScheme().equals("file"))
                .map(uri -> Path.of(uri).toString()).collect(Collectors.joining(":"));
        tool("javac", "-d", classes.toString(), "--module-path", modules,
                sources.resolve("module-info.java").toString(), sources.resolve(name + "/Rpcs.java").toString());
        tool("jar", "--create", "--file", target.toString(), "-C", classes.toString(), ".");
        return target;
    }

    private static void tool(String name, String... arguments) {
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        assertEquals(0, ToolProvider.findFirst(name).orElseThrow().run(writer, writer, arguments), output.toString());
    }

    private Plugins load(Path... folders) {
        return Plugins.load(List.of(folders), problems::add);
    }

    private static List<RpcCatalog> catalogs(Plugins plugins) {
        return plugins.services(layer -> ServiceLoader.load(layer, RpcCatalog.class));
    }

    private static List<String> methods(Plugins plugins) {
        return catalogs(plugins).stream().flatMap(catalog -> catalog.methods().stream()).map(method -> method.name())
                .toList();
    }

    @Test
    void findsTheServicesOfAJar() throws Exception {
        jar("example", folder.resolve("example.jar"));
        Plugins plugins = load(folder);

        assertEquals(List.of(), problems);
        assertEquals(List.of(folder.resolve("example.jar")), plugins.sources());
        assertEquals("example_hello", methods(plugins).getLast());
        assertTrue(methods(plugins).contains("framework_get_subsystems"));
    }

    @Test
    void findsEachServiceOnce() throws Exception {
        jar("one", folder.resolve("one.jar"));
        jar("two", folder.resolve("two.jar"));
        List<String> methods = methods(load(folder));

        assertEquals(methods.stream().distinct().toList(), methods);
        assertTrue(methods.containsAll(List.of("one_hello", "two_hello")), methods.toString());
    }

    @Test
    void takesAFolderOfJarsAsOnePlugin() throws Exception {
        jar("example", Files.createDirectory(folder.resolve("example")).resolve("lib.jar"));
        Plugins plugins = load(folder);

        assertEquals(List.of(folder.resolve("example")), plugins.sources());
        assertTrue(methods(plugins).contains("example_hello"));
    }

    @Test
    void grantsAPluginAccessToNativeCode() throws Exception {
        jar("example", folder.resolve("example.jar"));

        assertTrue(catalogs(load(folder)).getLast().getClass().getModule().isNativeAccessEnabled());
    }

    @Test
    void namesABrokenJarAndRunsTheRest() throws Exception {
        Files.writeString(folder.resolve("broken.jar"), "this is no archive");
        jar("example", folder.resolve("example.jar"));
        Plugins plugins = load(folder);

        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.getFirst().startsWith("plug-in " + folder.resolve("broken.jar") + " is not loaded: "),
                problems.toString());
        assertFalse(problems.getFirst().contains("\n"), problems.toString());
        assertTrue(methods(plugins).contains("example_hello"));
    }

    @Test
    void namesAPluginThatLacksAModule() throws Exception {
        Path library = jar("library", work.resolve("library.jar"));
        Path sources = Files.createDirectories(work.resolve("needy/needy"));
        Files.writeString(sources.getParent().resolve("module-info.java"), "module needy { requires library; }");
        tool("javac", "-d", work.resolve("needy-classes").toString(), "--module-path",
                library + ":" + ModuleLayer.boot().configuration().modules().stream()
                        .map(module -> module.reference().location().orElseThrow())
                        .filter(uri -> uri.getScheme().equals("file")).map(uri -> Path.of(uri).toString())
                        .collect(Collectors.joining(":")),
                sources.getParent().resolve("module-info.java").toString());
        tool("jar", "--create", "--file", folder.resolve("needy.jar").toString(), "-C",
                work.resolve("needy-classes").toString(), ".");
        load(folder);

        assertEquals(1, problems.size());
        assertTrue(problems.getFirst().startsWith("plug-in " + folder.resolve("needy.jar") + " is not loaded: ")
                && problems.getFirst().contains("library"), problems.toString());
    }

    @Test
    void namesAPluginWhoseServiceFailsAndGivesTheOthers() throws Exception {
        jar("bad", folder.resolve("bad.jar"), CATALOG.replace("PACKAGE", "bad").replace("public record",
                "public Rpcs() { throw new IllegalStateException(\"no licence\"); } public record"));
        jar("good", folder.resolve("good.jar"));
        List<String> methods = methods(load(folder));

        assertTrue(methods.contains("good_hello"), methods.toString());
        assertTrue(problems.getFirst().startsWith("plug-in " + folder.resolve("bad.jar") + " is not used: ")
                && problems.getFirst().contains("no licence"), problems.toString());
    }

    @Test
    void namesThePluginOfAServiceThatCannotBeUsedButNotTheProgramsOwn() throws Exception {
        jar("example", folder.resolve("example.jar"));
        Plugins plugins = load(folder);

        assertFalse(plugins.refuse(catalogs(plugins).getFirst(), "catalog", new IllegalStateException("no licence")));
        assertEquals(List.of(), problems);
        assertTrue(plugins.refuse(catalogs(plugins).getLast(), "catalog", new IllegalStateException("no licence")));
        assertEquals(List.of("plug-in " + folder.resolve("example.jar") + ": catalog is not used: no licence"),
                problems);
    }

    @Test
    void passesOverOtherFilesAndNamesAFolderThatCannotBeRead() throws Exception {
        Files.writeString(folder.resolve("README.md"), "Put plug-ins here.");
        assertEquals(List.of(), load(folder).sources());
        assertEquals(List.of(), problems);

        load(folder.resolve("none"));
        assertTrue(problems.getFirst().startsWith("plug-in folder " + folder.resolve("none") + " cannot be read"),
                problems.toString());
    }
}
