package io.spindrift.framework.rpc;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Results and saved parameters to JSON trees.
final class ToJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final ClassValue<Property[]> PROPERTIES = new ClassValue<>() {
        @Override
        protected Property[] computeValue(Class<?> record) {
            RecordComponent[] components = record.getRecordComponents();
            Property[] properties = new Property[components.length];
            for (int i = 0; i < properties.length; i++) {
                Method accessor = components[i].getAccessor();
                Components.open(accessor, record);
                properties[i] = new Property(Components.name(components[i]), accessor);
            }
            return properties;
        }
    };

    private record Property(String name, Method accessor) {}

    private ToJson() {}

    static JsonNode tree(Object value) {
        return switch (value) {
            case null -> NODES.nullNode();
            case JsonNode node -> node;
            case CharSequence text -> NODES.stringNode(text.toString());
            case Boolean bool -> NODES.booleanNode(bool);
            case Number number -> number(number);
            case Enum<?> constant -> NODES.stringNode(Components.name(constant));
            case UUID uuid -> NODES.stringNode(uuid.toString());
            case Record record -> object(record);
            case Map<?, ?> map -> object(map);
            case Iterable<?> list -> array(list);
            case Optional<?> optional -> tree(optional.orElse(null));
            case OptionalInt optional ->
                optional.isPresent() ? NODES.numberNode(optional.getAsInt()) : NODES.nullNode();
            case OptionalLong optional ->
                optional.isPresent() ? NODES.numberNode(optional.getAsLong()) : NODES.nullNode();
            case OptionalDouble optional -> optional.isPresent() ? number(optional.getAsDouble()) : NODES.nullNode();
            case long[] longs -> {
                ArrayNode array = NODES.arrayNode(longs.length);
                for (long element : longs) {
                    array.add(element);
                }
                yield array;
            }
            default -> throw new IllegalArgumentException("no JSON can be made of a " + value.getClass().getName());
        };
    }

    private static JsonNode number(Number number) {
        return switch (number) {
            case Integer i -> NODES.numberNode(i.intValue());
            case Long l -> NODES.numberNode(l.longValue());
            case Short s -> NODES.numberNode(s.intValue());
            case Byte b -> NODES.numberNode(b.intValue());
            case BigInteger big -> NODES.numberNode(big);
            case BigDecimal big -> NODES.numberNode(big);
            case Double d when Double.isFinite(d) -> NODES.numberNode(d.doubleValue());
            case Float f when Float.isFinite(f) -> NODES.numberNode(f.floatValue());
            default -> throw new IllegalArgumentException("no JSON number can be made of " + number);
        };
    }

    private static ObjectNode object(Record record) {
        ObjectNode object = NODES.objectNode();
        for (Property property : PROPERTIES.get(record.getClass())) {
            put(object, property.name(), Components.value(property.accessor(), record));
        }
        return object;
    }

    private static ObjectNode object(Map<?, ?> map) {
        ObjectNode object = NODES.objectNode();
        map.forEach((name, value) -> put(object, name.toString(), value));
        return object;
    }

    private static void put(ObjectNode object, String name, Object value) {
        boolean absent = switch (value) {
            case Optional<?> optional -> optional.isEmpty();
            case OptionalInt optional -> optional.isEmpty();
            case OptionalLong optional -> optional.isEmpty();
            case OptionalDouble optional -> optional.isEmpty();
            case null, default -> false;
        };
        if (!absent) {
            object.set(name, tree(value));
        }
    }

    private static ArrayNode array(Iterable<?> list) {
        ArrayNode array = NODES.arrayNode();
        list.forEach(element -> array.add(tree(element)));
        return array;
    }
}
