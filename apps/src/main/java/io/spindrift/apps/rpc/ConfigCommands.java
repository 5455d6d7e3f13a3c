package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.JsonException;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `save_config`, `load_config`, `save_subsystem_config`, `load_subsystem_config`: an application's configuration to
/// standard output and back, by many calls.
final class ConfigCommands {
    record SaveConfig(
            @Option({"-i", "--indent"}) @Default("2")
            @Description("Spaces a level; a negative number for one line") int indent,
            @Option({"-s", "--subsystems"}) @Default("[]")
            @Description("Only these, between commas") List<String> subsystems,
            @Option({"--with-batches", "--no-with-batches"})
            @Description("Batches of calls instead of single ones") Optional<Boolean> withBatches) {}

    record SaveSubsystemConfig(
            @Option({"-i", "--indent"}) @Default("2")
            @Description("Spaces a level; a negative number for one line") int indent,
            @Option({"-n", "--name"}) @Description("Name of the subsystem") String name,
            @Option({"--with-batches", "--no-with-batches"})
            @Description("Batches of calls instead of single ones") Optional<Boolean> withBatches) {}

    record LoadConfig(
            @Option({"-i", "--include-aliases"}) @Default("false")
            @Description("Take deprecated names too") boolean includeAliases,
            @Option({"-j", "--json-conf"})
            @Description("File to read instead of standard input") Optional<String> jsonConf) {}

    record LoadSubsystemConfig(
            @Option({"-j", "--json-conf"})
            @Description("File to read instead of standard input") Optional<String> jsonConf) {}

    private static final RpcMethod<SaveConfig> SAVE = RpcMethod.of("save_config", SaveConfig.class, RpcState.RUNTIME)
            .summary("Prints the configuration of the application, for load_config or the flag -c.");
    private static final RpcMethod<SaveSubsystemConfig> SAVE_SUBSYSTEM = RpcMethod
            .of("save_subsystem_config", SaveSubsystemConfig.class, RpcState.RUNTIME)
            .summary("Prints the configuration of one subsystem, for load_subsystem_config.");
    private static final RpcMethod<LoadConfig> LOAD = RpcMethod.of("load_config", LoadConfig.class, RpcState.RUNTIME)
            .summary(
                    "Makes the calls of a configuration, and starts the framework in between where it waits for that.");
    private static final RpcMethod<LoadSubsystemConfig> LOAD_SUBSYSTEM = RpcMethod
            .of("load_subsystem_config", LoadSubsystemConfig.class, RpcState.RUNTIME)
            .summary("Makes the calls of one subsystem's configuration.");

    private final InputStream in;
    private final PrintStream err;
    private final Predicate<String> declared;

    /// `declared` knows the methods of all modules.
    ConfigCommands(InputStream in, PrintStream err, Predicate<String> declared) {
        this.in = in;
        this.err = err;
        this.declared = declared;
    }

    List<Command> all() {
        return List.of(
                new Command(SAVE, (calls, params) -> save(calls, SAVE.shape().decode(params)), true),
                new Command(SAVE_SUBSYSTEM,
                        (calls, params) -> saveSubsystem(calls, SAVE_SUBSYSTEM.shape().decode(params)), true),
                new Command(LOAD, (calls, params) -> load(calls, LOAD.shape().decode(params)), true),
                new Command(LOAD_SUBSYSTEM,
                        (calls, params) -> loadSubsystem(calls, LOAD_SUBSYSTEM.shape().decode(params)), true));
    }

    private Optional<String> save(Calls calls, SaveConfig params)
            throws CallException, IOException, UsageException {
        ArrayNode subsystems = Json.emptyObject().arrayNode();
        for (JsonNode subsystem : calls.call("framework_get_subsystems", null)) {
            String name = subsystem.path("subsystem").asString();
            if (params.subsystems().isEmpty() || params.subsystems().contains(name)) {
                subsystems.add(subsystem(calls, name, params.withBatches()));
            }
        }
        for (String wanted : params.subsystems()) {
            if (subsystems.valueStream().noneMatch(saved -> saved.get("subsystem").stringValue().equals(wanted))) {
                throw new UsageException("save_config: the application has no subsystem " + wanted, "");
            }
        }
        ObjectNode config = Json.emptyObject();
        config.set("subsystems", subsystems);
        return Optional.of(print(config, params.indent()));
    }

    private Optional<String> saveSubsystem(Calls calls, SaveSubsystemConfig params) throws CallException, IOException {
        return Optional.of(print(subsystem(calls, params.name(), params.withBatches()), params.indent()));
    }

    private static ObjectNode subsystem(Calls calls, String name, Optional<Boolean> withBatches)
            throws CallException, IOException {
        ObjectNode params = Json.emptyObject();
        params.put("name", name);
        withBatches.ifPresent(with -> params.put("with_batches", with));
        ObjectNode subsystem = Json.emptyObject();
        subsystem.put("subsystem", name);
        subsystem.set("config", calls.call("framework_get_config", params));
        return subsystem;
    }

    private static String print(JsonNode config, int indent) {
        return indent < 0 ? Json.compact(config) : Json.indented(config, indent);
    }

    private Optional<String> load(Calls calls, LoadConfig params) throws CallException, IOException, UsageException {
        JsonNode config = read(params.jsonConf());
        ConfigReplay replay = new ConfigReplay(calls, err, params.includeAliases(), declared);
        replay.add(config);
        replay.run();
        return Optional.empty();
    }

    private Optional<String> loadSubsystem(Calls calls, LoadSubsystemConfig params)
            throws CallException, IOException, UsageException {
        JsonNode config = read(params.jsonConf());
        ConfigReplay replay = new ConfigReplay(calls, err, false, declared);
        replay.addSubsystem("", config);
        replay.runOnce();
        return Optional.empty();
    }

    private JsonNode read(Optional<String> file) throws IOException, UsageException {
        byte[] text = file.isPresent() ? Files.readAllBytes(Path.of(file.get())) : in.readAllBytes();
        try {
            return Json.parseWithComments(text);
        } catch (JsonException e) {
            throw new UsageException(file.orElse("standard input") + ": " + e.getMessage(), "");
        }
    }
}
