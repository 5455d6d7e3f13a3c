package io.spindrift.framework.rpc;

import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// One argument of a method's command line, derived from a component of its parameter record or [CliForm].
///
/// @param name        the component's name in JSON
/// @param flags       what is typed before the value; empty for a positional argument
/// @param older       for a spelling of older versions, which is understood but not shown, the flag of today
/// @param kind        whether a value is typed
/// @param type        what the value can be
/// @param choices     the only texts allowed; empty for any
/// @param required    whether it must be typed
/// @param defaultText what is meant if it is not typed, for the help text; may be empty
/// @param description a phrase for the help text; may be empty
public record CliArgument(String name, List<String> flags, Map<String, String> older, Kind kind, ParameterType type,
        List<String> choices, boolean required, String defaultText, String description) {

    /// How an argument is typed.
    public enum Kind {
        /// A value without a flag.
        POSITIONAL,
        /// A flag and a value.
        VALUE,
        /// A flag that may be given several times, each with a value.
        VALUES,
        /// A flag that means `true`.
        TRUE,
        /// A flag that means `false`.
        FALSE,
        /// A pair of flags, `--x` for `true` and `--no-x` for `false`.
        EITHER
    }

    private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

    /// The arguments of `method`, in the order of the components.
    public static List<CliArgument> of(RpcMethod<?> method) {
        RecordShape<?> shape = method.cliShape();
        List<CliArgument> arguments = new ArrayList<>();
        for (int i = 0; i < shape.parameters().size(); i++) {
            arguments.add(of(shape.parameters().get(i), shape.component(i)));
        }
        return List.copyOf(arguments);
    }

    private static CliArgument of(Parameter parameter, RecordComponent component) {
        Positional positional = component.getAnnotation(Positional.class);
        Option option = component.getAnnotation(Option.class);
        List<String> flags = positional != null
                ? List.of()
                : option != null ? List.of(option.value()) : List.of("--" + parameter.name().replace('_', '-'));
        Kind kind = positional != null ? Kind.POSITIONAL : kind(parameter.type(), flags, option);
        return new CliArgument(parameter.name(), flags, older(option), kind, parameter.type(),
                choices(parameter.type(), positional, option), parameter.required(),
                parameter.defaultValue().map(CliArgument::plain).orElse(""), parameter.description());
    }

    private static Map<String, String> older(Option option) {
        Map<String, String> older = new HashMap<>();
        for (String pair : option == null ? new String[0] : option.older()) {
            older.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return Map.copyOf(older);
    }

    private static Kind kind(ParameterType type, List<String> flags, Option option) {
        if (type instanceof ParameterType.ListOf) {
            return Kind.VALUES;
        } else if (!(type instanceof ParameterType.Bool)) {
            return Kind.VALUE;
        } else if (flags.size() == 2 && flags.get(1).equals("--no-" + flags.get(0).substring(2))) {
            return Kind.EITHER;
        }
        return option != null && option.negated() ? Kind.FALSE : Kind.TRUE;
    }

    private static List<String> choices(ParameterType type, Positional positional, Option option) {
        if (type instanceof ParameterType.Choice choice) {
            return choice.names();
        }
        return Arrays.asList(positional != null
                ? positional.choices()
                : option != null ? option.choices() : new String[0]);
    }

    private static String plain(JsonNode value) {
        return value.isString() ? value.stringValue() : Json.compact(value);
    }

    /// The value that `texts` mean: one text, or several for a list, whose elements may also stand in one text between
    /// commas or spaces. Throws `IllegalArgumentException` with a sentence if they mean none.
    public JsonNode value(List<String> texts) {
        if (!(type instanceof ParameterType.ListOf list)) {
            return value(type, texts.getLast());
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        texts.stream().flatMap(SEPARATOR::splitAsStream).filter(text -> !text.isEmpty())
                .forEach(text -> array.add(value(list.element(), text)));
        return array;
    }

    private JsonNode value(ParameterType type, String text) {
        if (!choices.isEmpty() && !choices.contains(text)) {
            throw new IllegalArgumentException(label() + ": " + text + " must be one of " + String.join(", ", choices));
        }
        return switch (type) {
            case ParameterType.Text _, ParameterType.Uuid _, ParameterType.Choice _ -> Json.text(text);
            case ParameterType.Whole _ -> JsonNodeFactory.instance.numberNode(whole(text));
            case ParameterType.Decimal _ -> JsonNodeFactory.instance.numberNode(decimal(text));
            case ParameterType.Bool _ -> switch (text) {
                case "true" -> JsonNodeFactory.instance.booleanNode(true);
                case "false" -> JsonNodeFactory.instance.booleanNode(false);
                default -> throw new IllegalArgumentException(label() + ": " + text + " must be true or false");
            };
            case ParameterType.ListOf _, ParameterType.Nested _, ParameterType.Any _ -> json(text);
        };
    }

    private BigInteger whole(String text) {
        try {
            return text.startsWith("0x") || text.startsWith("0X")
                    ? new BigInteger(text.substring(2), 16)
                    : new BigInteger(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(label() + ": " + text + " must be a whole number", e);
        }
    }

    private BigDecimal decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(label() + ": " + text + " must be a number", e);
        }
    }

    private JsonNode json(String text) {
        try {
            return Json.parse(text);
        } catch (JsonException e) {
            throw new IllegalArgumentException(label() + ": " + text + " must be JSON: " + e.getMessage(), e);
        }
    }

    /// How messages name it: its flags, or its name.
    public String label() {
        return kind == Kind.POSITIONAL ? name : String.join("/", flags);
    }

    /// What an [Kind#TRUE], [Kind#FALSE] or [Kind#EITHER] flag means; `typed` is false for `--no-x`.
    public Optional<Boolean> meaning(boolean typed) {
        return switch (kind) {
            case TRUE -> Optional.of(true);
            case FALSE -> Optional.of(false);
            case EITHER -> Optional.of(typed);
            case POSITIONAL, VALUE, VALUES -> Optional.empty();
        };
    }
}
