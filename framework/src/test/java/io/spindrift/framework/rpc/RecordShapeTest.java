package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordShapeTest {
    enum Mode {
        ALL, MAX_MIN, @RpcName("AES_XTS")
        XTS
    }

    record Address(String traddr, @Unsigned(16) int trsvcid) {
        Address {
            Check.range("trsvcid", trsvcid, 1024, 65535);
        }
    }

    record Create(String name, @Unsigned(64) long numBlocks, @Unsigned(32) int blockSize, @Default("0") int difType,
            @Default("false") boolean readonly, Optional<UUID> uuid, OptionalInt numaId, OptionalLong period,
            @Default("all") Mode mode, @Default("[]") List<String> names, Optional<Address> address,
            @Default("1.5") double ratio) {
        Create {
            if (name.isEmpty()) {
                throw RpcException.errno(Errno.EINVAL, "name is empty");
            }
        }
    }

    private static Create decode(String json) {
        return RecordShape.of(Create.class).decode(Json.parse(json));
    }

    private static RpcException refused(String json) {
        return assertThrows(RpcException.class, () -> decode(json));
    }

    private static RpcException refusedWith(String parameters) {
        return refused("{\"name\":\"n\",\"num_blocks\":1,\"block_size\":512," + parameters + "}");
    }

    @Test
    void fillsInDefaultsAndLeavesOptionalsEmpty() {
        assertEquals(new Create("n", 100, 512, 0, false, Optional.empty(), OptionalInt.empty(), OptionalLong.empty(),
                Mode.ALL, List.of(), Optional.empty(), 1.5),
                decode("{\"name\":\"n\",\"num_blocks\":100,\"block_size\":512}"));
    }

    @Test
    void readsEveryKindOfValue() {
        UUID uuid = UUID.fromString("38c40683-88fe-446b-8db0-6b815396b2e7");
        assertEquals(
                new Create("n", Long.MAX_VALUE, 65536, -1, true, Optional.of(uuid), OptionalInt.of(-1),
                        OptionalLong.of(5_000_000_000L), Mode.XTS, List.of("a", "b"),
                        Optional.of(new Address("127.0.0.1", 4420)), 2),
                decode("""
                        {"name": "n", "num_blocks": 9223372036854775807, "block_size": 65536.0, "dif_type": -1,
                         "readonly": true, "uuid": "38C40683-88FE-446b-8db0-6b815396b2e7", "numa_id": -1.0,
                         "period": 5e9, "mode": "AES_XTS", "names": ["a", "b"],
                         "address": {"traddr": "127.0.0.1", "trsvcid": 4420}, "ratio": 2}"""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "\"block_size\": 65536.5                | block_size=65536.5 must be a whole number",
            "\"block_size\": \"512\"                | block_size=\"512\" must be a whole number",
            "\"block_size\": true                   | block_size=true must be a whole number",
            "\"block_size\": null                   | block_size=null must be a whole number",
            "\"block_size\": -1                     | block_size=-1 is outside 0..2147483647",
            "\"block_size\": 2147483648             | block_size=2147483648 is outside 0..2147483647",
            "\"block_size\": 1e999999999            | block_size=1E+999999999 is outside 0..2147483647",
            "\"block_size\": 1e-999999999           | block_size=1E-999999999 must be a whole number",
            "\"num_blocks\": 18446744073709551615   | num_blocks=18446744073709551615 is outside 0..9223372036854775807",
            "\"dif_type\": -2147483649              | dif_type=-2147483649 is outside -2147483648..2147483647",
            "\"name\": 1                            | name=1 must be a string",
            "\"name\": \"a\\u0000b\"                | name=\"a\\u0000b\" must be a string without NUL characters",
            "\"readonly\": 1                        | readonly=1 must be true or false",
            "\"readonly\": \"true\"                 | readonly=\"true\" must be true or false",
            "\"mode\": \"ALL\"                      | mode=\"ALL\" must be one of all, max_min, AES_XTS",
            "\"mode\": 0                            | mode=0 must be one of all, max_min, AES_XTS",
            "\"names\": \"a\"                       | names=\"a\" must be an array",
            "\"names\": [\"a\", 2]                  | names[1]=2 must be a string",
            "\"ratio\": \"2\"                       | ratio=\"2\" must be a number",
            "\"address\": []                        | address=[] must be an object",
            "\"address\": {\"traddr\": \"a\"}       | address.trsvcid is missing",
            "\"address\": {\"traddr\": \"a\", \"trsvcid\": 65536} | address.trsvcid=65536 is outside 0..65535",
            "\"address\": {\"traddr\": \"a\", \"trsvcid\": 1} | address.trsvcid=1 is outside 1024..65535",
            "\"uuid\": \"not-a-uuid\"               | uuid=\"not-a-uuid\" must be a UUID: 32 hexadecimal digits in groups of 8-4-4-4-12"})
    void refusesNamingTheParameterTheValueAndTheLimit(String parameter, String message) {
        String json = Json.parse("{" + parameter + "}").propertyNames().iterator().next();
        StringBuilder rest = new StringBuilder();
        for (String given : List.of("\"name\":\"n\"", "\"num_blocks\":1", "\"block_size\":512")) {
            if (!given.startsWith("\"" + json + "\"")) {
                rest.append(given).append(',');
            }
        }
        RpcException e = refused("{" + rest + parameter + "}");
        assertEquals(message, e.getMessage());
        assertEquals(RpcException.INVALID_PARAMS, e.code());
    }

    @Test
    void refusesWhatIsMissing() {
        assertEquals("block_size is missing", refused("{\"name\":\"n\",\"num_blocks\":1}").getMessage());
    }

    @Test
    void refusesUnknownParametersAndSaysWhichAreKnown() {
        assertEquals("""
                nmae="x", more=[1] is not a parameter; known are name, num_blocks, block_size, dif_type, readonly, \
                uuid, numa_id, period, mode, names, address, ratio""",
                refusedWith("\"nmae\":\"x\",\"more\":[1]").getMessage());
    }

    @Test
    void refusesWhatIsNoObject() {
        assertEquals("params=[1] must be an object", refused("[1]").getMessage());
        assertEquals("params=\"s\" must be an object", refused("\"s\"").getMessage());
    }

    @Test
    void keepsTheCodeThatTheRecordItselfThrows() {
        RpcException e = refused("{\"name\":\"\",\"num_blocks\":1,\"block_size\":512}");
        assertEquals(-22, e.code());
        assertEquals("name is empty", e.getMessage());
    }

    @Test
    void quotesOnlyTheBeginningOfALongValue() {
        String message = refused("{\"name\":" + "[".repeat(50) + "]".repeat(50) + "}").getMessage();
        assertEquals("name=" + "[".repeat(50) + "]".repeat(30) + "... must be a string", message);
    }

    @Test
    void takesNothingForTheEmptyObject() {
        record None() {}
        assertEquals(new None(), RecordShape.of(None.class).decode(null));
        assertEquals(new None(), RecordShape.of(None.class).decode(Json.parse("null")));
    }

    @Test
    void namesThePathOfAPropertyThatAppearsTwice() {
        JsonException e = assertThrows(JsonException.class, () -> Json.parse("{\"a\":[{\"b\":1,\"b\":2}]}"));
        assertEquals("a[0].b appears twice", e.getMessage());
    }

    @Test
    void readsCommentsOnlyWhereTheyAreAllowed() {
        byte[] text = "{/* a */ \"x\": \"abc //def\" // b\n}".getBytes(StandardCharsets.UTF_8);
        assertEquals("{\"x\":\"abc //def\"}", Json.compact(Json.parseWithComments(text)));
        assertThrows(JsonException.class, () -> Json.parse(text));
    }
}
