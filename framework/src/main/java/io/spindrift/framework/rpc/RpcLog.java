package io.spindrift.framework.rpc;

/// Is told what an [RpcServer] receives and answers: for a log of all calls, and for the failures that are bugs.
///
/// Called on the connections' threads, several at once; must be quick and must not throw.
public interface RpcLog {
    /// Forgets everything.
    RpcLog NONE = new RpcLog() {};

    /// A client sent this text: a request, or a batch of them.
    default void request(String json) {}

    /// A client is sent this text.
    default void reply(String json) {}

    /// A call or connection failed for a reason that no client can be blamed for.
    default void failed(String sentence, Throwable cause) {}

    /// Something deserves a look.
    default void warning(String sentence) {}
}
