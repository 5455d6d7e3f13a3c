package io.spindrift.framework.app;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A configuration as read: the calls to make, by subsystem.
///
/// ```json
/// {"subsystems": [{"subsystem": "bdev", "config": [{"method": "bdev_null_create", "params": {...}}]}]}
/// ```
/// `config` may be null or missing for nothing, `params` likewise. `//` and `/* */` are comments, a byte-order mark
/// is passed over. Other properties beside `subsystems` are the writer's own; anywhere else they are refused.
///
/// @param source the file's name, for messages
/// @param sections the subsystems in the file's order
record ConfigFile(String source, List<Section> sections) {

    private static final int MAX_BYTES = 64 << 20;

    /// The calls of one subsystem; `path` is where it stands: `subsystems[0]`.
    record Section(String path, String subsystem, List<Entry> entries) {}

    /// One call; `path` is where it stands: `subsystems[0].config[2]`.
    record Entry(String path, String method, JsonNode params) {}

    /// Reads `file`. Not on a reactor.
    static ConfigFile read(Path file) throws ConfigException {
        byte[] text;
        try (InputStream stream = Files.newInputStream(file)) { // a pipe or /dev/zero has no size to look at first
            text = stream.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException _) {
            throw new ConfigException(file + ": there is no such file");
        } catch (AccessDeniedException _) {
            throw new ConfigException(file + ": it may not be read");
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be read: " + e.getMessage(), e);
        }
        if (text.length > MAX_BYTES) {
            throw new ConfigException(file + " is longer than " + MAX_BYTES + " bytes, the limit of a configuration");
        }
        return parse(file.toString(), text);
    }

    /// Reads `text` (UTF-8), which came from `source`.
    static ConfigFile parse(String source, byte[] text) throws ConfigException {
        try {
            JsonNode root = Json.parseWithComments(text);
            require(root.isObject(), "the file's value", root, "an object with the property \"subsystems\"");
            return new ConfigFile(source, sections(root));
        } catch (JsonException e) {
            throw new ConfigException(source + ": " + e.getMessage(), e);
        } catch (Malformed e) {
            throw new ConfigException(source + ": " + e.getMessage());
        }
    }

    private static List<Section> sections(JsonNode root) throws Malformed {
        JsonNode array = required(root, "", "subsystems");
        require(array.isArray(), "subsystems", array, "an array");
        List<Section> sections = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            sections.add(section("subsystems[" + i + "]", array.get(i)));
        }
        return List.copyOf(sections);
    }

    private static Section section(String path, JsonNode section) throws Malformed {
        require(section.isObject(), path, section, "an object with the properties \"subsystem\" and \"config\"");
        refuseOthers(path, section, List.of("subsystem", "config"));
        String name = text(section, path, "subsystem");
        JsonNode config = section.get("config");
        List<Entry> entries = new ArrayList<>();
        if (config != null && !config.isNull()) {
            require(config.isArray(), path + ".config", config, "an array or null");
            for (int i = 0; i < config.size(); i++) {
                entries.add(entry(path + ".config[" + i + "]", config.get(i)));
            }
        }
        return new Section(path, name, List.copyOf(entries));
    }

    private static Entry entry(String path, JsonNode entry) throws Malformed {
        require(entry.isObject(), path, entry, "an object with the properties \"method\" and \"params\"");
        refuseOthers(path, entry, List.of("method", "params"));
        JsonNode params = entry.get("params");
        if (params != null && !params.isNull()) {
            require(params.isObject(), path + ".params", params, "an object");
        }
        return new Entry(path, text(entry, path, "method"), params == null ? Json.emptyObject() : params);
    }

    private static JsonNode required(JsonNode object, String path, String name) throws Malformed {
        JsonNode value = object.get(name);
        if (value == null) {
            throw new Malformed((path.isEmpty() ? name : path + "." + name) + " is missing");
        }
        return value;
    }

    private static String text(JsonNode object, String path, String name) throws Malformed {
        JsonNode value = required(object, path, name);
        require(value.isString(), path + "." + name, value, "a string");
        return value.stringValue();
    }

    private static void refuseOthers(String path, JsonNode object, List<String> known) throws Malformed {
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                throw new Malformed(path + "." + name + " is unknown; known here are " + String.join(" and ", known));
            }
        }
    }

    private static void require(boolean holds, String path, JsonNode value, String expected) throws Malformed {
        if (!holds) {
            throw new Malformed(path + ": " + Json.excerpt(value) + " must be " + expected);
        }
    }

    /// Carries a sentence to where the file's name is put in front of it.
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }
}
