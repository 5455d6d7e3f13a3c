package io.spindrift.apps.bdevperf;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.rpc.RpcLog;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Appends what clients send and are sent to a file, a line each: `request: JSON`, `reply: JSON`. Any thread.
final class RpcLogFile implements RpcLog, AutoCloseable {
    private final Path file;
    private final Log log;
    private final Writer writer;
    private boolean broken;

    /// Opens `file`, which is made if need be. That it cannot be written later is said once, in `log`.
    RpcLogFile(Path file, Log log) throws IOException {
        this.file = file;
        this.log = log;
        this.writer = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void request(String json) {
        append("request: ", json);
    }

    @Override
    public void reply(String json) {
        append("reply: ", json);
    }

    private synchronized void append(String what, String json) {
        if (broken) {
            return;
        }
        try {
            writer.append(what).append(json.replaceAll("\\R\\s*", " ")).append("\n");
            writer.flush();
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException e) {
        broken = true;
        log.error("-J %s: cannot be written, no more calls are logged there: %s", file, e.getMessage());
    }

    @Override
    public synchronized void close() {
        broken = true;
        try {
            writer.close();
        } catch (IOException e) {
            fail(e);
        }
    }
}
