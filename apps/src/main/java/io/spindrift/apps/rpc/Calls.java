package io.spindrift.apps.rpc;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/// The application that is called.
@FunctionalInterface
interface Calls {
    /// Calls `method` and returns its result. Throws [CallException] if the application answers with an error, and
    /// `IOException` if it does not answer.
    JsonNode call(String method, JsonNode params) throws CallException, IOException;
}
