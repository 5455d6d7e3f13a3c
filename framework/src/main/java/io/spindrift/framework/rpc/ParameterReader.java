package io.spindrift.framework.rpc;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// Reads a [Parameter] from a record component.
final class ParameterReader {
    private ParameterReader() {
    }

    static Parameter parameter(RecordComponent component) {
        Class<?> raw = component.getType();
        boolean optional = raw == Optional.class || raw == OptionalInt.class || raw == OptionalLong.class
                || raw == OptionalDouble.class;
        ParameterType type = type(component, raw == Optional.class ? argument(component.getGenericType())
                : component.getGenericType());
        Description description = component.getAnnotation(Description.class);
        return new Parameter(Components.name(component), type, optional, defaultValue(component, type),
                description == null ? "" : description.value(), raw);
    }

    private static Optional<JsonNode> defaultValue(RecordComponent component, ParameterType type) {
        Default given = component.getAnnotation(Default.class);
        if (given == null) {
            return Optional.empty();
        }
        return Optional.of(switch (type) {
            case ParameterType.Text _, ParameterType.Uuid _, ParameterType.Choice _ -> Json.text(given.value());
            case ParameterType.Bool _, ParameterType.Whole _, ParameterType.Decimal _, ParameterType.ListOf _,
                    ParameterType.Nested _, ParameterType.Any _ -> Json.parse(given.value());
        });
    }

    private static ParameterType type(RecordComponent component, Type type) {
        Class<?> raw = type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
        if (raw == String.class) {
            return new ParameterType.Text();
        } else if (raw == boolean.class || raw == Boolean.class) {
            return new ParameterType.Bool();
        } else if (raw == double.class || raw == Double.class || raw == OptionalDouble.class) {
            return new ParameterType.Decimal();
        } else if (raw == UUID.class) {
            return new ParameterType.Uuid();
        } else if (raw == JsonNode.class) {
            return new ParameterType.Any();
        } else if (raw == List.class) {
            return new ParameterType.ListOf(type(component, argument(type)));
        } else if (raw.isEnum()) {
            return new ParameterType.Choice(raw, Arrays.stream(raw.getEnumConstants())
                    .map(constant -> Components.name((Enum<?>) constant)).toList());
        } else if (raw.isRecord()) {
            return new ParameterType.Nested(RecordShape.of(raw.asSubclass(Record.class)));
        }
        return whole(component, raw);
    }

    private static ParameterType whole(RecordComponent component, Class<?> raw) {
        int width;
        if (raw == int.class || raw == Integer.class || raw == OptionalInt.class) {
            width = 32;
        } else if (raw == long.class || raw == Long.class || raw == OptionalLong.class) {
            width = 64;
        } else {
            throw new IllegalArgumentException(component + " of " + component.getDeclaringRecord().getName()
                    + " has a type that no JSON can be");
        }
        Unsigned unsigned = component.getAnnotation(Unsigned.class);
        long most = width == 32 ? Integer.MAX_VALUE : Long.MAX_VALUE;
        if (unsigned == null) {
            return new ParameterType.Whole(-most - 1, most, "int" + width, width == 32);
        }
        int bits = unsigned.value();
        if (!List.of(8, 16, 32, 64).contains(bits)) {
            throw new IllegalArgumentException("@Unsigned(" + bits + ") must be one of 8, 16, 32, 64");
        }
        long limit = bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
        return new ParameterType.Whole(0, Math.min(limit, most), "uint" + bits, width == 32);
    }

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }
}
