package io.spindrift.nvme;

import io.spindrift.framework.thread.Reactors;
import java.util.ArrayDeque;

/// Tasks that reactors ask for, run on control threads one after the other, in their order.
final class ControlEvents {
    private final Reactors reactors;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    ControlEvents(Reactors reactors) {
        this.reactors = reactors;
    }

    /// On a reactor; for what is rare.
    void fromReactor(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        reactors.control().fromReactor(this::run);
    }

    private void run() {
        while (true) {
            Runnable task;
            synchronized (tasks) {
                task = tasks.poll();
                if (task == null) {
                    running = false;
                    return;
                }
            }
            try {
                task.run();
            } catch (RuntimeException e) {
                reactors.contain("a listener of an NVMe controller", e);
            }
        }
    }
}
