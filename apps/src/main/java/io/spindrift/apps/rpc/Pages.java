package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.Parameter;
import io.spindrift.framework.rpc.ParameterType;
import io.spindrift.framework.rpc.RecordShape;
import io.spindrift.framework.rpc.RpcState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What is printed about all methods: the list, the manual, the schema.
final class Pages {
    private Pages() {
    }

    /// The flags, and a line for each method.
    static String help(CommandTable commands) {
        StringBuilder text = new StringBuilder(GlobalOptions.usage()).append("\nMethods:\n");
        for (Command command : commands.all()) {
            text.append("  ").append(command.method().name());
            if (!command.method().summary().isEmpty()) {
                text.append(" ".repeat(Math.max(1, 34 - command.method().name().length())))
                        .append(command.method().summary());
            }
            text.append('\n');
        }
        return text.toString();
    }

    /// The manual in Markdown.
    static String manual(CommandTable commands) {
        StringBuilder text = new StringBuilder("# JSON-RPC methods\n");
        for (Command command : commands.all()) {
            var method = command.method();
            text.append("\n## ").append(method.name()).append("\n\n").append(method.summary()).append("\n\n");
            if (!command.local() && !method.allowedIn(RpcState.RUNTIME)) {
                text.append("Only before `framework_start_init`.\n\n");
            }
            if (!method.aliases().isEmpty()) {
                text.append("Deprecated names: ").append(String.join(", ", method.aliases())).append(".\n\n");
            }
            text.append("    ").append(new MethodCommand(method).synopsis().replace("\n", "\n    ")).append("\n");
            if (!command.local()) {
                table(text, method.shape());
            }
        }
        return text.toString();
    }

    private static void table(StringBuilder text, RecordShape<?> shape) {
        List<String> rows = new ArrayList<>();
        rows(rows, "", shape);
        if (!rows.isEmpty()) {
            text.append("\n| parameter | type | default | meaning |\n|---|---|---|---|\n")
                    .append(String.join("\n", rows)).append('\n');
        }
    }

    private static void rows(List<String> rows, String prefix, RecordShape<?> shape) {
        for (Parameter parameter : shape.parameters()) {
            String standard = parameter.required() ? "required"
                    : parameter.defaultValue().map(Json::compact).map(value -> "`" + value + "`").orElse("");
            rows.add("| " + prefix + parameter.name() + " | " + type(parameter.type()) + " | " + standard + " | "
                    + parameter.description().replace("|", "\\|") + " |");
            nested(parameter.type()).forEach(inner -> rows(rows, prefix + parameter.name() + suffix(parameter) + ".",
                    inner));
        }
    }

    private static String suffix(Parameter parameter) {
        return parameter.type() instanceof ParameterType.ListOf ? "[]" : "";
    }

    private static List<RecordShape<?>> nested(ParameterType type) {
        return switch (type) {
            case ParameterType.Nested inner -> List.of(inner.shape());
            case ParameterType.ListOf list -> nested(list.element());
            case ParameterType.Text _, ParameterType.Uuid _, ParameterType.Bool _, ParameterType.Whole _,
                    ParameterType.Decimal _, ParameterType.Choice _, ParameterType.Any _ -> List.of();
        };
    }

    private static String type(ParameterType type) {
        return switch (type) {
            case ParameterType.Choice choice -> choice.names().stream().map(name -> "`" + name + "`")
                    .collect(Collectors.joining(", "));
            case ParameterType.ListOf list -> "array of " + type(list.element());
            case ParameterType.Text _, ParameterType.Uuid _, ParameterType.Bool _, ParameterType.Whole _,
                    ParameterType.Decimal _, ParameterType.Nested _, ParameterType.Any _ -> type.schemaName();
        };
    }

    /// Each method's parameters, in JSON.
    static JsonNode schema(CommandTable commands) {
        ObjectNode methods = Json.emptyObject();
        for (Command command : commands.all()) {
            if (!command.local()) {
                ObjectNode method = Json.emptyObject();
                method.set("params", parameters(command.method().shape()));
                methods.set(command.method().name(), method);
            }
        }
        ObjectNode schema = Json.emptyObject();
        schema.set("methods", methods);
        return schema;
    }

    private static ArrayNode parameters(RecordShape<?> shape) {
        ArrayNode parameters = Json.emptyObject().arrayNode();
        for (Parameter parameter : shape.parameters()) {
            ObjectNode one = Json.emptyObject();
            one.put("name", parameter.name());
            type(one, parameter.type());
            if (parameter.required()) {
                one.put("required", true);
            }
            parameter.defaultValue().ifPresent(value -> one.set("default", value));
            if (!parameter.description().isEmpty()) {
                one.put("description", parameter.description());
            }
            parameters.add(one);
        }
        return parameters;
    }

    private static void type(ObjectNode one, ParameterType type) {
        one.put("type", type.schemaName());
        switch (type) {
            case ParameterType.Choice choice -> one.set("values", Json.tree(choice.names()));
            case ParameterType.Nested nested -> one.set("params", parameters(nested.shape()));
            case ParameterType.ListOf list -> {
                ObjectNode element = Json.emptyObject();
                type(element, list.element());
                one.set("items", element);
            }
            case ParameterType.Whole whole -> {
                one.put("minimum", whole.min());
                one.put("maximum", whole.max());
            }
            case ParameterType.Text _, ParameterType.Uuid _, ParameterType.Bool _, ParameterType.Decimal _,
                    ParameterType.Any _ -> {
                // the name says it all
            }
        }
    }
}
