package io.spindrift.apps.bdevperf;

/// A run cannot be made; the message is a sentence for the user that names the flag or key, its value and the limit.
final class PerfException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean refusesParameters;

    PerfException(String message) {
        this(message, null);
    }

    PerfException(String message, Throwable cause) {
        this(message, cause, true);
    }

    private PerfException(String message, Throwable cause, boolean refusesParameters) {
        super(message, cause);
        this.refusesParameters = refusesParameters;
    }

    /// The run is fine, but not now.
    static PerfException state(String message) {
        return new PerfException(message, null, false);
    }

    /// Whether other parameters could be run.
    boolean refusesParameters() {
        return refusesParameters;
    }
}
