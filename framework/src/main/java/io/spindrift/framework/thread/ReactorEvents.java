package io.spindrift.framework.thread;

/// Who is told of what must not happen on reactors; called there, so it may not block.
public interface ReactorEvents {
    /// Prints to the standard error; for tests and tools without a log.
    ReactorEvents STDERR = new ReactorEvents() {
        @Override
        public void exception(String where, Throwable cause) {
            System.err.println(where + ": " + cause);
            cause.printStackTrace();
        }

        @Override
        public void report(String sentence) {
            System.err.println(sentence);
        }
    };

    /// `cause` was thrown by `where` (thread and poller or message) and contained.
    void exception(String where, Throwable cause);

    /// Something worth a log line.
    void report(String sentence);
}
