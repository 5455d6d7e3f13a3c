package io.spindrift.nvme;

import io.spindrift.framework.thread.Reactors;
import java.util.ArrayDeque;

/// Tasks that run on control threads one after the other, in their order.
final class ControlEvents {
    private final Reactors reactors;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    ControlEvents(Reactors reactors) {
        this.reactors = reactors;
    }

    /// Any thread; for what is rare: a reactor may wait for another that adds one.
    void add(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        reactors.control().fromReactor(this::run); // from control threads too: it only takes the way by the dispatcher
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
            } catch (Throwable e) { // whatever it is: the next is told all the same
                reactors.contain("a listener of an NVMe controller", e);
            }
        }
    }
}
