package io.spindrift.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Configuration files that were seen in the field: accepted, or status 1 and the place of what is wrong; never a hang.
@Timeout(60)
class ConfigProcessTest {
    private static final String CREATE = "{'subsystems': [{'subsystem': 'bdev', 'config': [{'method': 'bdev_null_create', "
            + "'params': {'name': 'NAME', 'num_blocks': BLOCKS, 'block_size': 512}}]}]}";

    @TempDir
    Path folder;

    private TargetProcess start(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("config.json"), expand(text).replace('\'', '"'));
        return new TargetProcess(folder, "-c", file.toString());
    }

    private static String expand(String text) {
        return text.replace("CREATE", CREATE).replace("NAME", "Null0").replace("BOM", "\ufeff");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'subsystems': 1111} | subsystems: 1111", "{} | subsystems is missing",
            "'' | config.json", "'subsystems': [] | config.json",
            "{'subsystems': [{'subsystem': 'bdev', 'config': [{'method': 'nonsense'}]}]} | subsystems[0].config[0].method",
            "{'subsystems': [{'subsystem': 'bdev', 'config': [{'method': 'bdev_null_create', 'params': "
                    + "{'name': 'N', 'num_blocks': 65536.5, 'block_size': 512}}]}]} "
                    + "| subsystems[0].config[0].params.num_blocks: num_blocks=65536.5"}, quoteCharacter = '`')
    void endsWithStatusOneAndNamesThePlace(String text, String place) throws Exception {
        try (TargetProcess target = start(text.equals("''") ? "" : text)) {
            assertEquals(1, target.status(), target.errors());
            assertTrue(target.errors().contains(place.replace('\'', '"')), target.errors());
            assertTrue(Files.notExists(folder.resolve("rpc.sock")));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"BOM{'subsystems': []} | 0",
            "{'subsystems': [{'subsystem': 'bdev', 'config': null}]} | 0", "WHOLE | 1",
            "COMMENTED | 1"}, quoteCharacter = '`')
    void isAccepted(String text, int bdevs) throws Exception {
        String name = "abc //def";
        String whole = CREATE.replace("NAME", name).replace("BLOCKS", "65536.0");
        try (TargetProcess target = start(text.replace("WHOLE", whole).replace("COMMENTED",
                "// first\n" + whole + "/* last */")).awaitReady()) {
            JsonNode list = target.call("bdev_get_bdevs", "{}");
            assertEquals(bdevs, list.size());
            if (bdevs > 0) {
                assertEquals(name, list.get(0).get("name").stringValue());
                assertEquals(65536, list.get(0).get("num_blocks").intValue());
            }
            target.signal("TERM");
            assertEquals(0, target.status(), target.errors());
        }
    }
}
