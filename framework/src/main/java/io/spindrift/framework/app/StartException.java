package io.spindrift.framework.app;

/// An application cannot start; the message is a sentence for the user. What it had acquired is given back.
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
