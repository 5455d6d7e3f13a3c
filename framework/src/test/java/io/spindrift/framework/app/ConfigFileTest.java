package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.ConfigFile.Entry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static ConfigFile parse(String text) throws ConfigException {
        return ConfigFile.parse("c.json", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String refusal(String text) {
        return assertThrows(ConfigException.class, () -> parse(text)).getMessage();
    }

    @Test
    void readsCallsWithTheirPlacesInOrder() throws Exception {
        ConfigFile file = parse("""
                {"subsystems": [
                  {"subsystem": "iobuf", "config": []},
                  {"subsystem": "bdev", "config": [
                    {"method": "bdev_null_create", "params": {"name": "Null0"}},
                    {"method": "bdev_wait_for_examine"}]}]}
                """);

        assertEquals(List.of("iobuf", "bdev"), file.sections().stream().map(ConfigFile.Section::subsystem).toList());
        List<Entry> calls = file.sections().getLast().entries();
        assertEquals("subsystems[1].config[0]", calls.getFirst().path());
        assertEquals("Null0", calls.getFirst().params().get("name").stringValue());
        assertEquals("bdev_wait_for_examine", calls.getLast().method());
        assertTrue(calls.getLast().params().isEmpty());
    }

    @Test
    void takesANullOrMissingConfigAsNothing() throws Exception {
        assertEquals(List.of(), parse("{\"subsystems\":[{\"subsystem\":\"bdev\",\"config\":null}]}").sections()
                .getFirst().entries());
        assertEquals(List.of(), parse("{\"subsystems\":[{\"subsystem\":\"bdev\"}]}").sections().getFirst().entries());
        assertEquals(List.of(), parse("{\"subsystems\":[]}").sections());
    }

    @Test
    void passesOverAByteOrderMarkAndComments() throws Exception {
        ConfigFile file = parse("\uFEFF// saved today\n{\"subsystems\":[/* none yet */{\"subsystem\":\"abc //def\"}]}");

        assertEquals("abc //def", file.sections().getFirst().subsystem());
    }

    @Test
    void leavesOtherPropertiesOfTheFileToItsWriter() throws Exception {
        assertEquals(List.of(), parse("{\"comment\":1,\"subsystems\":[]}").sections());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"subsystems": 1111}                                 | subsystems: 1111 must be an array
            {"subsystems": null}                                 | subsystems: null must be an array
            {}                                                   | subsystems is missing
            []                                                   | the file's value: [] must be an object with
            1                                                    | the file's value: 1 must be an object with
            {"subsystems": [7]}                                  | subsystems[0]: 7 must be an object with
            {"subsystems": [{}]}                                 | subsystems[0].subsystem is missing
            {"subsystems": [{"subsystem": 1}]}                   | subsystems[0].subsystem: 1 must be a string
            {"subsystems": [{"subsystem": "a", "confg": []}]}    | subsystems[0].confg is unknown
            {"subsystems": [{"subsystem": "a", "config": {}}]}   | subsystems[0].config: {} must be an array or null
            {"subsystems": [{"subsystem": "a", "config": [[]]}]} | subsystems[0].config[0]: [] must be an object with
            {"subsystems": [{"subsystem": "a", "config": [{}]}]} | subsystems[0].config[0].method is missing
            {"subsystems": [{"subsystem": "a", "config": [{"method": "m", "params": [1]}]}]} | subsystems[0].config[0].params: [1] must be an object
            {"subsystems": [{"subsystem": "a", "config": [{"method": "m", "param": {}}]}]} | subsystems[0].config[0].param is unknown
            """)
    void namesThePlaceOfWhatIsWrong(String text, String message) {
        assertTrue(refusal(text).startsWith("c.json: " + message), refusal(text));
    }

    @Test
    void refusesWhatIsNoJson() {
        for (String text : List.of("", "   ", "// only a comment", "{", "\"subsystems\": []", "{\"subsystems\": [}",
                "{\"subsystems\": [],}", "{\"subsystems\": [] /* open", "\u0000")) {
            assertTrue(refusal(text).startsWith("c.json: "), text);
        }
    }

    @Test
    void refusesAFileThatCannotBeRead(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("none.json");
        assertEquals(missing + ": there is no such file",
                assertThrows(ConfigException.class, () -> ConfigFile.read(missing)).getMessage());
        assertTrue(assertThrows(ConfigException.class, () -> ConfigFile.read(folder)).getMessage()
                .startsWith(folder + " cannot be read: "));
    }

    @Test
    void readsAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("c.json"), "{\"subsystems\":[]}");
        assertEquals(file.toString(), ConfigFile.read(file).source());
    }

    @Test
    void refusesAFileWithoutEnd() {
        ConfigException refused = assertThrows(ConfigException.class, () -> ConfigFile.read(Path.of("/dev/zero")));
        assertEquals("/dev/zero is longer than 67108864 bytes, the limit of a configuration", refused.getMessage());
    }
}
