package io.spindrift.framework.rpc;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// One parameter of a method.
///
/// @param name         in JSON, snake case
/// @param type         what it can be
/// @param optional     it can be left out and has no default
/// @param defaultValue what it is when it is not given
/// @param description  a phrase for the manual; may be empty
/// @param javaType     the component's type
public record Parameter(String name, ParameterType type, boolean optional, Optional<JsonNode> defaultValue,
        String description, Class<?> javaType) {

    /// Whether a call without it is refused.
    public boolean required() {
        return !optional && defaultValue.isEmpty();
    }
}
