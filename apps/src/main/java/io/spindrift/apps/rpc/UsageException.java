package io.spindrift.apps.rpc;

/// The user typed what cannot be; the message is a sentence.
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String usage;

    /// `usage` says how it is typed; it may be empty.
    UsageException(String message, String usage) {
        super(message);
        this.usage = usage;
    }

    String usage() {
        return usage;
    }
}
