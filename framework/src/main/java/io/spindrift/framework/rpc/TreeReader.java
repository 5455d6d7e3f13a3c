package io.spindrift.framework.rpc;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads one JSON value into a tree. Numbers keep their exact value.
final class TreeReader {
    /// As deep as the peer's parser goes; the scanner of the server relies on it, too.
    static final int MAX_DEPTH = 64;
    /// What the parser tells programmers of its options and sources, which no user has.
    private static final Pattern PARSERS_OWN = Pattern
            .compile(", from `[^`]*`|: enable `[^`]*` to allow| \\(start marker at \\[.*\\]\\)");

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /// What happens when an object has a property twice.
    interface Duplicates {
        void found(String path);
    }

    private final JsonParser parser;
    private final Duplicates duplicates;

    private TreeReader(JsonParser parser, Duplicates duplicates) {
        this.parser = parser;
        this.duplicates = duplicates;
    }

    static JsonNode read(JsonFactory factory, byte[] text, int offset, int length, Duplicates duplicates) {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text, offset, length)) {
            return new TreeReader(parser, duplicates).document();
        }
    }

    private JsonNode document() {
        try {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new JsonException("there is no JSON value");
            }
            JsonNode value = value(first, "", 0);
            if (parser.nextToken() != null) {
                throw new JsonException(place() + "there is more text after the JSON value");
            }
            return value;
        } catch (StreamReadException e) {
            throw new JsonException(place() + sentence(e), e);
        } catch (JacksonException e) {
            throw new JsonException(sentence(e), e);
        }
    }

    private static String sentence(JacksonException e) {
        return PARSERS_OWN.matcher(e.getOriginalMessage()).replaceAll("");
    }

    private String place() {
        var location = parser.currentLocation();
        String path = parser.streamReadContext().pathAsPointer().toString();
        return (path.isEmpty() ? "" : path + ", ") + "line " + location.getLineNr() + ", column "
                + location.getColumnNr() + ": ";
    }

    private JsonNode value(JsonToken token, String path, int depth) {
        return switch (token) {
            case START_OBJECT -> object(path, deeper(depth));
            case START_ARRAY -> array(path, deeper(depth));
            case VALUE_STRING -> NODES.stringNode(wellFormed(parser.getString()));
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new AssertionError("the parser gives no " + token + " where a value is due");
        };
    }

    private int deeper(int depth) {
        if (depth == MAX_DEPTH) {
            throw new JsonException(place() + "values are nested deeper than " + MAX_DEPTH);
        }
        return depth + 1;
    }

    private JsonNode integer() {
        return switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            case BIG_INTEGER -> NODES.numberNode(parser.getBigIntegerValue());
            case FLOAT, DOUBLE, BIG_DECIMAL -> throw new AssertionError("a number without point or exponent");
        };
    }

    private ObjectNode object(String path, int depth) {
        ObjectNode object = NODES.objectNode();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            String childPath = path.isEmpty() ? wellFormed(name) : path + "." + wellFormed(name);
            JsonNode value = value(parser.nextToken(), childPath, depth);
            if (object.has(name)) {
                duplicates.found(childPath);
            } else {
                object.set(name, value);
            }
        }
        return object;
    }

    private ArrayNode array(String path, int depth) {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(token, path + "[" + array.size() + "]", depth));
        }
        return array;
    }

    /// Half a surrogate pair (an escape such as a lone backslash-ud800) is no character and could not be sent back.
    private String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw new JsonException(place() + "a string holds half a surrogate pair");
                }
                i++;
            }
        }
        return text;
    }
}
