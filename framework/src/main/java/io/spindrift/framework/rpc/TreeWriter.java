package io.spindrift.framework.rpc;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/// Writes a JSON tree.
final class TreeWriter {
    private TreeWriter() {}

    static void write(JsonGenerator generator, JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                generator.writeStartObject();
                node.forEachEntry((name, value) -> {
                    generator.writeName(name);
                    write(generator, value);
                });
                generator.writeEndObject();
            }
            case ARRAY -> {
                generator.writeStartArray();
                for (JsonNode element : node) {
                    write(generator, element);
                }
                generator.writeEndArray();
            }
            case STRING -> generator.writeString(node.stringValue());
            case BOOLEAN -> generator.writeBoolean(node.booleanValue());
            case NUMBER -> number(generator, node);
            case NULL, MISSING -> generator.writeNull();
            case BINARY, POJO -> throw new IllegalArgumentException("a tree made of JSON has no " + node.getNodeType());
        }
    }

    private static void number(JsonGenerator generator, JsonNode node) {
        switch (node.numberType()) {
            case INT, LONG -> generator.writeNumber(node.longValue());
            case BIG_INTEGER -> generator.writeNumber(node.bigIntegerValue());
            case FLOAT -> generator.writeNumber(node.floatValue());
            case DOUBLE -> generator.writeNumber(node.doubleValue());
            case BIG_DECIMAL -> generator.writeNumber(node.decimalValue());
        }
    }
}
