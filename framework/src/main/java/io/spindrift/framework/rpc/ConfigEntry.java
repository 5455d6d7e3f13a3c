package io.spindrift.framework.rpc;

import java.util.Objects;

/// One call of a saved configuration: replaying it makes the object again.
///
/// @param method the name that `load_config` will call
/// @param params the method's own parameter record
public record ConfigEntry(String method, Record params) {
    public ConfigEntry {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(params, "params");
    }
}
