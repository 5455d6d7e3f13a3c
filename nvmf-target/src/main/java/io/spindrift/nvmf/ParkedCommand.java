package io.spindrift.nvmf;

/// A command that met a pause, and its own queue node: parking one allocates nothing.
public abstract class ParkedCommand {
    ParkedCommand next;

    /// For subclasses.
    protected ParkedCommand() {}

    /// The pause is over: begins anew, with the view that holds now. On the poll group's thread; may be parked again.
    protected abstract void resumed();
}
