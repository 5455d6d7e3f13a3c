package io.spindrift.framework.notify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The last [#HISTORY] events of one application.
///
/// Any thread; neither [#send] nor [#list] waits for another thread, so reactors may send.
public final class Notifications {
    /// How many events are kept; older ones are forgotten.
    public static final int HISTORY = 1024;

    private final CopyOnWriteArrayList<String> types = new CopyOnWriteArrayList<>();
    private final AtomicReferenceArray<Notification> history = new AtomicReferenceArray<>(HISTORY);
    private final AtomicLong sent = new AtomicLong();

    /// No types and no events.
    public Notifications() {}

    /// Declares `type` as one that will be sent; once is enough, again does no harm.
    public void registerType(String type) {
        types.addIfAbsent(type);
    }

    /// The declared types in the order of their declaration.
    public List<String> types() {
        return List.copyOf(types);
    }

    /// Appends an event of a declared `type` about the object called `ctx`, and returns its id.
    ///
    /// @throws IllegalArgumentException if `type` was not declared
    public long send(String type, String ctx) {
        if (!types.contains(type)) {
            throw new IllegalArgumentException("type=" + type + " was never registered");
        }
        long id = sent.getAndIncrement();
        history.set(slot(id), new Notification(type, ctx, id));
        return id;
    }

    /// At most `max` events in order, the first of them `firstId` or, if that is forgotten, the oldest kept.
    public List<Notification> list(long firstId, long max) {
        long end = sent.get();
        List<Notification> found = new ArrayList<>();
        for (long id = Math.max(firstId, Math.max(0, end - HISTORY)); id < end && found.size() < max; id++) {
            Notification event = history.get(slot(id));
            if (event == null || event.id() < id) {
                break; // its sender has the number but has not stored it yet: the caller asks again
            }
            if (event.id() == id) { // else a newer one has taken the slot meanwhile
                found.add(event);
            }
        }
        return found;
    }

    private static int slot(long id) {
        return (int) (id % HISTORY);
    }
}
