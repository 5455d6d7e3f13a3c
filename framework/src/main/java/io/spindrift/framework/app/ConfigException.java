package io.spindrift.framework.app;

/// A configuration file is wrong, or an entry of it failed. The message starts with the file and the JSON path.
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message);
    }

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
