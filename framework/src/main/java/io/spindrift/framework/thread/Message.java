package io.spindrift.framework.thread;

/// A message for an [IoThread], and its own queue node: sending one allocates nothing.
///
/// A message can be in one queue at a time; it may be sent again once [#run()] has been entered.
public abstract class Message {
    /// The next younger message; written with release by the sender, read with acquire by the owner.
    volatile Message next;

    /// For subclasses: any thread makes messages.
    protected Message() {}

    /// Runs on the receiving thread.
    protected abstract void run();

    /// Called instead of [#run()], on any thread, when the receiver exited before it got to this message.
    protected void rejected() {}
}
