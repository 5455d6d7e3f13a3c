package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is said of a text that is no JSON is for users: it names nothing of the parser's own.
class JsonMessagesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{\"a\":{\"b\":1 | /a/b, line 1, column 12: Unexpected end-of-input: expected close marker for Object",
            "[NaN] | /0, line 1, column 5: Non-standard token 'NaN'"})
    void namesThePlaceAndTheMatter(String text, String message) {
        assertEquals(message, assertThrows(JsonException.class, () -> Json.parse(text)).getMessage());
    }

    @Test
    void namesTheLimitOfANumber() {
        String text = "[" + "9".repeat(1001) + "]";
        String said = assertThrows(JsonException.class, () -> Json.parse(text)).getMessage();
        assertEquals("Number value length (1001) exceeds the maximum allowed (1000)",
                said.substring(said.indexOf("Number")));
    }
}
