package io.spindrift.framework.rpc;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Texts to JSON trees and back. Any thread.
///
/// Jackson's parser, generator and tree, without its object mapper, which is slow to start and not needed for trees.
public final class Json {
    private static final int EXCERPT_CHARACTERS = 80;

    private static final JsonFactory STRICT = JsonFactory.builder().build();
    private static final JsonFactory WITH_COMMENTS = JsonFactory.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .build();

    private Json() {}

    /// The one value that `text` holds. Throws [JsonException] if it is none, more than one, or names a property twice.
    public static JsonNode parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /// As [#parse(String)], from UTF-8, with or without a byte-order mark.
    public static JsonNode parse(byte[] text) {
        return TreeReader.read(STRICT, text, 0, text.length, Json::refuseDuplicate);
    }

    /// As [#parse(byte[])], where `//` and `/* */` comments are white space: a configuration file.
    public static JsonNode parseWithComments(byte[] text) {
        return TreeReader.read(WITH_COMMENTS, text, 0, text.length, Json::refuseDuplicate);
    }

    /// As [#parse(byte[])] from a part of `text`; the first of properties with the same name wins, and `duplicates`
    /// is told the paths of the others.
    static JsonNode parse(byte[] text, int offset, int length, TreeReader.Duplicates duplicates) {
        return TreeReader.read(STRICT, text, offset, length, duplicates);
    }

    private static void refuseDuplicate(String path) {
        throw new JsonException(path + " appears twice");
    }

    /// The tree of a record (components in snake case, empty optionals left out), map, list, string, boolean, number,
    /// enum constant, UUID or tree. Throws `IllegalArgumentException` for anything else, and for numbers that are not
    /// finite.
    public static JsonNode tree(Object value) {
        return ToJson.tree(value);
    }

    /// A string.
    public static JsonNode text(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }

    /// A new object without properties.
    public static ObjectNode emptyObject() {
        return JsonNodeFactory.instance.objectNode();
    }

    /// The text of `tree` in one line, without spaces.
    public static String compact(JsonNode tree) {
        return write(tree, ObjectWriteContext.empty());
    }

    /// The text of `tree` with each property and element in its own line, indented by `spaces` a level.
    public static String indented(JsonNode tree, int spaces) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectNameValueSpacing(Separators.Spacing.AFTER).withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        DefaultIndenter indenter = new DefaultIndenter(" ".repeat(spaces), "\n");
        printer.indentObjectsWith(indenter);
        printer.indentArraysWith(indenter);
        return write(tree, new ObjectWriteContext.Base() {
            @Override
            public PrettyPrinter getPrettyPrinter() {
                return printer;
            }

            @Override
            public boolean hasPrettyPrinter() {
                return true;
            }
        });
    }

    /// A value as messages quote it: its beginning if it is long.
    public static String excerpt(JsonNode value) {
        String text = compact(value);
        return text.length() <= EXCERPT_CHARACTERS ? text : text.substring(0, EXCERPT_CHARACTERS) + "...";
    }

    private static String write(JsonNode tree, ObjectWriteContext context) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = STRICT.createGenerator(context, text)) {
            TreeWriter.write(generator, tree);
        }
        return text.toString();
    }
}
