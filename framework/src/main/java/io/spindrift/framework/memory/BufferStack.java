package io.spindrift.framework.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The free buffers that no thread keeps: a lock-free stack, so that what was used last is used next and memory never
/// needed is never touched.
///
/// The links are indices beside the buffers, 1-based with 0 for none. The head is one long, the top index with a
/// count of all changes above it: a head that comes back after changes differs, so that a compare-and-set cannot take
/// a stale link for a good one.
final class BufferStack {
    /// The head has a stretch of 128 bytes on either side to itself.
    private static final int HEAD = 16;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class).withInvokeExactBehavior();
    private static final long CHANGE = 1L << 32;

    private final Buffer[] buffers;
    private final int[] links;
    private final long[] head = new long[2 * HEAD + 1];

    /// A stack of all `buffers`, each at its own index, the first on top.
    BufferStack(Buffer[] buffers) {
        this.buffers = buffers;
        this.links = new int[buffers.length + 1];
        for (int i = 1; i < buffers.length; i++) {
            links[i] = i + 1;
        }
        head[HEAD] = buffers.length == 0 ? 0 : 1;
    }

    /// Takes one buffer, or returns null if there is none.
    Buffer pop() {
        for (;;) {
            long seen = (long) LONGS.getAcquire(head, HEAD); // pairs with the compareAndSet of a push
            int top = (int) seen;
            if (top == 0) {
                return null;
            }
            int below = (int) INTS.getOpaque(links, top); // perhaps stale: then the compareAndSet fails
            if (LONGS.compareAndSet(head, HEAD, seen, changed(seen, below))) {
                return buffers[top - 1];
            }
        }
    }

    /// Takes up to `max` buffers into `to[0..]`; returns how many.
    int pop(Buffer[] to, int max) {
        for (;;) {
            long seen = (long) LONGS.getAcquire(head, HEAD); // as in pop()
            int top = (int) seen;
            int taken = 0;
            while (taken < max && top != 0) {
                to[taken++] = buffers[top - 1];
                top = (int) INTS.getOpaque(links, top);
            }
            if (taken == 0 || LONGS.compareAndSet(head, HEAD, seen, changed(seen, top))) {
                return taken;
            }
        }
    }

    void push(Buffer buffer) {
        int top = buffer.index() + 1;
        pushChain(top, top);
    }

    /// Puts `from[start .. start + n)` back, n at least 1.
    void push(Buffer[] from, int start, int n) {
        for (int i = start; i < start + n - 1; i++) {
            INTS.setOpaque(links, from[i].index() + 1, from[i + 1].index() + 1);
        }
        pushChain(from[start].index() + 1, from[start + n - 1].index() + 1);
    }

    private void pushChain(int first, int last) {
        for (;;) {
            long seen = (long) LONGS.getOpaque(head, HEAD);
            INTS.setOpaque(links, last, (int) seen);
            if (LONGS.compareAndSet(head, HEAD, seen, changed(seen, first))) { // pairs with the acquire of a pop
                return;
            }
        }
    }

    private static long changed(long head, int top) {
        return (head & -CHANGE) + CHANGE | top;
    }

    /// How many buffers are here; exact while nobody pushes or pops.
    int size() {
        int n = 0;
        for (int top = (int) (long) LONGS.getAcquire(head, HEAD); top != 0 && n < buffers.length; n++) {
            top = (int) INTS.getOpaque(links, top);
        }
        return n;
    }
}
