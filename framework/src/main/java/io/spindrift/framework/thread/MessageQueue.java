package io.spindrift.framework.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// An intrusive queue for many producers and one consumer (Vyukov's): an offer is one exchange and one store.
///
/// ```
///   head (consumer)                  tail (producers exchange it)
///     |                                |
///   [stub] -> [oldest] -> ... -> [youngest] -> null
/// ```
/// It has no capacity, so a send never fails for want of room, and a producer that is descheduled between its
/// exchange and its store hides only the messages behind it until it goes on. [#isEmpty()] counts those as present.
final class MessageQueue {
    private static final VarHandle TAIL;
    private static final VarHandle NEXT;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(MessageQueue.class, "tail", Message.class)
                    .withInvokeExactBehavior();
            NEXT = MethodHandles.lookup().findVarHandle(Message.class, "next", Message.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Message stub = new Stub();
    /// The oldest node; only the consumer touches it.
    private Message head = stub;
    private volatile Message tail = stub;

    /// Appends `message`. Any thread; wait-free.
    void offer(Message message) {
        NEXT.setOpaque(message, (Message) null); // shown to others by the exchange below, which is a full fence
        Message previous = (Message) TAIL.getAndSet(this, message);
        NEXT.setRelease(previous, message); // pairs with the acquire in poll()
    }

    /// Takes the oldest message, or returns null if there is none whose sender has finished. Consumer only.
    Message poll() {
        Message first = head;
        Message second = (Message) NEXT.getAcquire(first);
        if (first == stub) {
            if (second == null) {
                return null;
            }
            head = second;
            first = second;
            second = (Message) NEXT.getAcquire(second);
        }
        if (second != null) {
            head = second;
            NEXT.setOpaque(first, (Message) null);
            return first;
        }
        if (first != (Message) TAIL.getOpaque(this)) {
            return null; // a producer is between its exchange and its store
        }
        offer(stub);
        second = (Message) NEXT.getAcquire(first);
        if (second == null) {
            return null;
        }
        head = second;
        NEXT.setOpaque(first, (Message) null);
        return first;
    }

    /// Whether nothing was sent since the last [#poll()]. Exact for the consumer; a hint for others.
    boolean isEmpty() {
        // Acquire: pairs with the exchange in offer().
        return head == (Message) TAIL.getAcquire(this) && head == stub;
    }

    private static final class Stub extends Message {
        @Override
        protected void run() {
            throw new AssertionError("the stub is never handed out");
        }
    }
}
