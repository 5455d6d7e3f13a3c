package io.spindrift.framework.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A number that one thread adds to and any thread reads.
///
/// Opaque on both sides: a reader gets a whole value, and a newer one in time, in no order with anything else. That costs
/// the owner what a plain addition does.
public final class OwnerCounter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(OwnerCounter.class, "value", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /// 0.
    public OwnerCounter() {}

    /// On the owner.
    public void add(long amount) {
        VALUE.setOpaque(this, value + amount); // the owner's own read may be plain: nobody else writes
    }

    /// Any thread.
    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
