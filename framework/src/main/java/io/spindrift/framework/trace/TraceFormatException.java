package io.spindrift.framework.trace;

import java.io.IOException;

/// A file is no trace file, or a damaged one. The message is one sentence that names the file and what is wrong.
public final class TraceFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    TraceFormatException(String message) {
        super(message);
    }

    TraceFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
