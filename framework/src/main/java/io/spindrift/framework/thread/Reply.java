package io.spindrift.framework.thread;

import java.util.concurrent.locks.LockSupport;

/// The answer that a control thread waits for and an [IoThread] gives, once.
///
/// Giving it costs a reactor no system call: it goes by a queue to the control dispatcher, which resumes the waiter.
public final class Reply<T> extends Message {
    private final Control control;
    private final Thread waiter = Thread.currentThread();
    private T value;
    private Throwable failure;
    private boolean given;
    private volatile boolean done;

    Reply(Control control) {
        this.control = control;
    }

    /// Answers with `result`. Any thread, once; a second answer is ignored.
    public void complete(T result) {
        give(result, null);
    }

    /// Answers with a failure, which the waiter gets thrown. Any thread, once.
    public void fail(Throwable reason) {
        give(null, reason);
    }

    private synchronized boolean take() {
        boolean first = !given;
        given = true;
        return first;
    }

    private void give(T result, Throwable reason) {
        if (take()) {
            value = result;
            failure = reason;
            control.deliver(this);
        }
    }

    /// On the dispatcher.
    @Override
    protected void run() {
        done = true; // pairs with the read in await(): value and failure are written before it
        LockSupport.unpark(waiter);
    }

    /// Waits on the thread that created this reply; a failure is thrown as it was given, checked or not.
    @SuppressWarnings("unchecked") // X is what the owner's code may throw, as inferred at the call
    <X extends Throwable> T await() throws X {
        boolean interrupted = false;
        while (!done) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw (X) failure;
        }
        return value;
    }
}
