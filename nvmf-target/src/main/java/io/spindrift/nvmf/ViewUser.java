package io.spindrift.nvmf;

/// A user of a subsystem on one poll group, such as a controller, that keeps something it has worked out from the view.
@FunctionalInterface
public interface ViewUser {
    /// Another view holds from now on. On the poll group's thread, while the subsystem is paused for what has changed.
    void viewChanged(SubsystemView view);
}
