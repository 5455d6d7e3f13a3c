package io.spindrift.framework.log;

/// A topic whose info and debug lines are wanted or not, such as `bdev` or `nvmf_tcp`.
///
/// Made by [Log#flag(String)], once for each name and log; callers keep it in a field. Any thread.
public final class LogFlag {
    private final String name;
    private volatile boolean enabled;

    LogFlag(String name) {
        this.name = name;
    }

    /// The name as `-L` and `log_set_flag` take it.
    public String name() {
        return name;
    }

    /// Whether somebody asked for this topic: the guard in front of arguments that cost something to compute.
    public boolean enabled() {
        return enabled;
    }

    void enable(boolean wanted) {
        enabled = wanted;
    }
}
