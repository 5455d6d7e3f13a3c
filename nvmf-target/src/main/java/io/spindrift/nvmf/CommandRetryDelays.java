package io.spindrift.nvmf;

/// The times after which hosts try a command again that was not executed (CRDT1 to CRDT3 of Identify Controller), in
/// units of 100 milliseconds.
public record CommandRetryDelays(int crdt1, int crdt2, int crdt3) {
    public static final CommandRetryDelays NONE = new CommandRetryDelays(0, 0, 0);
}
