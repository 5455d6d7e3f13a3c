package io.spindrift.framework.app;

/// The command line is wrong; the message is a sentence for the user.
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean unknownFlag;

    UsageException(String message, boolean unknownFlag) {
        super(message);
        this.unknownFlag = unknownFlag;
    }

    /// Whether the user needs the list of flags; otherwise the sentence alone says what to change.
    boolean unknownFlag() {
        return unknownFlag;
    }
}
