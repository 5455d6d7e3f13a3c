package io.spindrift.framework.rpc;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// JSON values to Java values, without any coercion.
final class ValueDecoder {
    private static final Pattern UUID_FORM = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private ValueDecoder() {}

    /// The component's value for `given`, which is null if the parameter is not given.
    static Object decode(String path, Parameter parameter, JsonNode given) {
        JsonNode value = given != null ? given : parameter.defaultValue().orElse(null);
        if (value == null && !parameter.optional()) {
            throw RpcException.invalidParams(path + " is missing");
        }
        Object decoded = value == null ? null : decode(path, parameter.type(), value);
        return fit(parameter.javaType(), decoded);
    }

    private static Object fit(Class<?> component, Object value) {
        if (component == Optional.class) {
            return Optional.ofNullable(value);
        } else if (component == OptionalInt.class) {
            return value == null ? OptionalInt.empty() : OptionalInt.of((int) value);
        } else if (component == OptionalLong.class) {
            return value == null ? OptionalLong.empty() : OptionalLong.of((long) value);
        } else if (component == OptionalDouble.class) {
            return value == null ? OptionalDouble.empty() : OptionalDouble.of((double) value);
        }
        return value;
    }

    private static Object decode(String path, ParameterType type, JsonNode value) {
        return switch (type) {
            case ParameterType.Text _ -> text(path, value);
            case ParameterType.Uuid _ -> uuid(path, value);
            case ParameterType.Bool _ -> {
                require(value.isBoolean(), path, value, "true or false");
                yield value.booleanValue();
            }
            case ParameterType.Whole whole -> {
                long number = whole(path, whole, value);
                yield whole.javaInt() ? (Object) (int) number : (Object) number;
            }
            case ParameterType.Decimal _ -> {
                require(value.isNumber(), path, value, "a number");
                yield value.decimalValue().doubleValue();
            }
            case ParameterType.Choice choice -> choice(path, choice, value);
            case ParameterType.ListOf list -> list(path, list, value);
            case ParameterType.Nested nested -> {
                require(value.isObject(), path, value, "an object");
                yield nested.shape().decode(path + ".", value);
            }
            case ParameterType.Any _ -> value;
        };
    }

    private static String text(String path, JsonNode value) {
        require(value.isString(), path, value, "a string");
        String text = value.stringValue();
        require(text.indexOf('\0') < 0, path, value, "a string without NUL characters");
        return text;
    }

    private static UUID uuid(String path, JsonNode value) {
        // UUID.fromString alone takes shorter groups, too.
        require(value.isString() && UUID_FORM.matcher(value.stringValue()).matches(), path, value,
                "a UUID: 32 hexadecimal digits in groups of 8-4-4-4-12");
        return UUID.fromString(value.stringValue());
    }

    private static long whole(String path, ParameterType.Whole type, JsonNode value) {
        require(value.isNumber(), path, value, "a whole number");
        BigDecimal number = value.decimalValue();
        // Beyond 20 digits before the point it is out of any range, and must not be expanded: 1e999999999 would fill
        // the memory.
        boolean huge = number.signum() != 0 && (long) number.precision() - number.scale() > 20;
        if (!huge) {
            require(number.signum() == 0 || number.stripTrailingZeros().scale() <= 0, path, value, "a whole number");
        }
        if (huge || number.compareTo(BigDecimal.valueOf(type.min())) < 0
                || number.compareTo(BigDecimal.valueOf(type.max())) > 0) {
            throw RpcException.invalidParams(
                    path + "=" + Json.excerpt(value) + " is outside " + type.min() + ".." + type.max());
        }
        return number.longValue();
    }

    private static Object choice(String path, ParameterType.Choice type, JsonNode value) {
        int index = value.isString() ? type.names().indexOf(value.stringValue()) : -1;
        require(index >= 0, path, value, "one of " + String.join(", ", type.names()));
        return type.type().getEnumConstants()[index];
    }

    private static List<Object> list(String path, ParameterType.ListOf type, JsonNode value) {
        require(value.isArray(), path, value, "an array");
        List<Object> elements = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            elements.add(decode(path + "[" + i + "]", type.element(), value.get(i)));
        }
        return List.copyOf(elements);
    }

    private static void require(boolean holds, String path, JsonNode value, String expected) {
        if (!holds) {
            throw RpcException.invalidParams(path + "=" + Json.excerpt(value) + " must be " + expected);
        }
    }
}
