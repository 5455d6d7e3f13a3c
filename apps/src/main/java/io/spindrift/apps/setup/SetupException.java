package io.spindrift.apps.setup;

/// Something was refused or has failed; the message is a sentence for the user.
final class SetupException extends Exception {
    private static final long serialVersionUID = 1;

    SetupException(String message) {
        super(message);
    }

    SetupException(String message, Throwable cause) {
        super(message, cause);
    }
}
