package io.spindrift.framework.log;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Writes lines to file descriptor 2, a batch at a time, so that lines of several programs do not interleave.
final class StandardErrorSink implements LogSink {
    private static final int BATCH_BYTES = 32 * 1024;

    private final OutputStream descriptor = new FileOutputStream(FileDescriptor.err);
    private final ByteArrayOutputStream batch = new ByteArrayOutputStream();

    @Override
    public void write(LogLevel level, String line) {
        batch.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        batch.write('\n');
        if (batch.size() >= BATCH_BYTES) {
            flush();
        }
    }

    @Override
    public void flush() {
        try {
            batch.writeTo(descriptor);
        } catch (IOException _) {
            // Standard error is a closed pipe: there is nowhere left to say so, and the program goes on.
        }
        batch.reset();
    }
}
