package io.spindrift.framework.rpc;

/// A text is not JSON. The message says where: the path of the value, line and column.
public final class JsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    JsonException(String message) {
        super(message);
    }

    JsonException(String message, Throwable cause) {
        super(message, cause);
    }
}
