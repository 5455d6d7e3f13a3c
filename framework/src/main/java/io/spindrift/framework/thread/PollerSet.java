package io.spindrift.framework.thread;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/// The pollers of one [IoThread]: keeps them by kind, and runs those whose time has come.
///
/// On the owner; adding and removing allocate, running does not.
final class PollerSet {
    private static final int TIMER_BATCH = 16;
    /// Longer waits are cut to this: the order of timers compares differences, which must not overflow.
    private static final long LONGEST_WAIT_NANOS = Long.MAX_VALUE / 4;

    private final IoThread thread;
    private final TimerHeap timers = new TimerHeap();
    private final List<Poller> paused = new ArrayList<>();
    private Poller[] active = new Poller[4];
    private int activeCount;
    private boolean activeHoles;
    /// By the number that the descriptor has in [#events]; paused ones too, which are not in there.
    private Poller[] fds = new Poller[4];
    /// Null until there is an fd poller.
    private EventSet events;
    private long nextId = 1;

    PollerSet(IoThread thread) {
        this.thread = thread;
    }

    /// Whose they are.
    IoThread thread() {
        return thread;
    }

    // ---- coming and going -------------------------------------------------------------------------------------

    Poller addActive(String name, PollFunction function) {
        Poller poller = new Poller(this, Poller.Kind.ACTIVE, name, nextId++, function, null, -1, 0);
        addActive(poller);
        return poller;
    }

    Poller addTimed(String name, IntSupplier function, long periodNanos) {
        if (periodNanos <= 0) {
            throw new IllegalArgumentException("periodNanos=" + periodNanos + " of poller " + name
                    + " must be at least 1");
        }
        Poller poller = new Poller(this, Poller.Kind.TIMED, name, nextId++, null, function, -1, periodNanos);
        addTimer(poller);
        return poller;
    }

    Poller addFd(String name, int fd, IntSupplier function) {
        if (events == null) {
            events = new EventSet();
            thread.reactor.watch(thread);
        }
        int index = freeFdIndex();
        events.add(fd, index);
        Poller poller = new Poller(this, Poller.Kind.FD, name, nextId++, null, function, fd, 0);
        fds[index] = poller;
        return poller;
    }

    private int freeFdIndex() {
        for (int i = 0; i < fds.length; i++) {
            if (fds[i] == null) {
                return i;
            }
        }
        int free = fds.length;
        fds = Arrays.copyOf(fds, free * 2);
        return free;
    }

    private int indexOf(Poller poller) {
        for (int i = 0; i < fds.length; i++) {
            if (fds[i] == poller) {
                return i;
            }
        }
        throw new AssertionError(poller.name());
    }

    private void addActive(Poller poller) {
        if (activeCount == active.length) {
            active = Arrays.copyOf(active, activeCount * 2);
        }
        active[activeCount++] = poller;
    }

    private void removeActive(Poller poller) {
        for (int i = 0; i < activeCount; i++) {
            if (active[i] == poller) {
                active[i] = null; // the turn that may be running goes by index: closed up at its end
                activeHoles = true;
                return;
            }
        }
    }

    private void closeHoles() {
        int kept = 0;
        for (int i = 0; i < activeCount; i++) {
            if (active[i] != null) {
                active[kept++] = active[i];
            }
        }
        Arrays.fill(active, kept, activeCount, null);
        activeCount = kept;
        activeHoles = false;
    }

    private void addTimer(Poller poller) {
        poller.nextRun = thread.tick + Math.min(poller.periodNanos, LONGEST_WAIT_NANOS);
        timers.add(poller);
    }

    private void removeTimer(Poller poller) {
        if (poller.heapIndex >= 0) {
            timers.remove(poller);
        }
    }

    void pause(Poller poller) {
        if (poller.state != Poller.State.WAITING) {
            return;
        }
        poller.state = Poller.State.PAUSED;
        paused.add(poller);
        detach(poller);
    }

    void resume(Poller poller) {
        if (poller.state != Poller.State.PAUSED) {
            return;
        }
        poller.state = Poller.State.WAITING;
        paused.remove(poller);
        switch (poller.kind()) {
            case ACTIVE -> addActive(poller);
            case TIMED -> addTimer(poller);
            case FD -> events.add(poller.fd, indexOf(poller));
        }
    }

    void unregister(Poller poller) {
        switch (poller.state) {
            case WAITING -> detach(poller);
            case PAUSED -> paused.remove(poller);
            case UNREGISTERED -> {
                return;
            }
        }
        poller.state = Poller.State.UNREGISTERED;
        if (poller.kind() == Poller.Kind.FD) {
            fds[indexOf(poller)] = null;
        }
    }

    private void detach(Poller poller) {
        switch (poller.kind()) {
            case ACTIVE -> removeActive(poller);
            case TIMED -> removeTimer(poller);
            case FD -> events.remove(poller.fd);
        }
    }

    void changePeriod(Poller poller, long nanos) {
        if (poller.kind() != Poller.Kind.TIMED || nanos <= 0) {
            throw new IllegalArgumentException("periodNanos=" + nanos + " of poller " + poller.name()
                    + ": a timed poller and at least 1 are needed");
        }
        poller.periodNanos = nanos;
        if (poller.state == Poller.State.WAITING) {
            removeTimer(poller);
            addTimer(poller);
        }
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    /// Those of one kind that are not paused.
    List<Poller> waiting(Poller.Kind kind) {
        return switch (kind) {
            case ACTIVE -> Arrays.stream(active, 0, activeCount).filter(p -> p != null).toList();
            case TIMED -> IntStream.range(0, timers.size()).mapToObj(timers::get).toList();
            case FD -> Arrays.stream(fds).filter(p -> p != null && p.state == Poller.State.WAITING).toList();
        };
    }

    /// Those that are paused, longest first.
    List<Poller> paused() {
        return List.copyOf(paused);
    }

    /// One that has not been unregistered, in words, or null.
    String any() {
        for (int i = 0; i < activeCount; i++) {
            if (active[i] != null) {
                return "poller " + active[i].name();
            }
        }
        if (timers.first() != null) {
            return "poller " + timers.first().name();
        }
        for (Poller poller : fds) {
            if (poller != null) {
                return "poller " + poller.name();
            }
        }
        return paused.isEmpty() ? null : "paused poller " + paused.getFirst().name();
    }

    // ---- running ----------------------------------------------------------------------------------------------

    /// Runs the active ones, and the timed ones that are due. Returns the work done.
    int run() {
        int work = 0;
        for (int i = 0; i < activeCount; i++) {
            Poller poller = active[i];
            if (poller != null) {
                work += runActive(poller);
            }
        }
        Poller due = timers.first();
        if (due != null && due.nextRun - thread.tick <= 0) {
            work += runTimers();
        }
        if (activeHoles) {
            closeHoles();
        }
        return work;
    }

    private int runActive(Poller poller) {
        poller.runs++;
        try {
            int work = poller.active.poll();
            if (work > 0) {
                poller.busyRuns++;
            }
            return work;
        } catch (Throwable t) {
            contain(poller, t);
            return 0;
        }
    }

    private int runTimers() {
        long tick = thread.tick;
        int work = 0;
        for (int i = 0; i < TIMER_BATCH; i++) {
            Poller due = timers.first();
            if (due == null || due.nextRun - tick > 0) {
                break;
            }
            long wait = Math.min(due.periodNanos, LONGEST_WAIT_NANOS);
            due.nextRun += wait;
            if (due.nextRun - tick <= 0) {
                due.nextRun = tick + wait; // behind by more than a period: do not catch up
            }
            timers.firstMoved();
            work += runFunction(due);
        }
        return work;
    }

    private int runFunction(Poller poller) {
        poller.runs++;
        try {
            int work = poller.function.getAsInt();
            if (work > 0) {
                poller.busyRuns++;
            }
            return work;
        } catch (Throwable t) {
            contain(poller, t);
            return 0;
        }
    }

    private void contain(Poller poller, Throwable t) {
        if (poller.exceptions++ == 0) {
            thread.reactors().contain(thread, "poller " + poller.name(), t);
        } else {
            thread.reactors().countException();
        }
    }

    /// Runs the fd pollers whose descriptors are ready. There has been one.
    int runReady() {
        int ready = events.pollNow();
        int work = 0;
        for (int i = 0; i < ready; i++) {
            Poller poller = fds[(int) events.data(i)];
            if (poller != null && poller.state == Poller.State.WAITING) {
                work += runFunction(poller);
            }
        }
        return work;
    }

    /// Whether none has work outstanding that only polling finds.
    boolean readyToSleep() {
        for (int i = 0; i < activeCount; i++) {
            try {
                if (active[i] != null && !active[i].active.readyToSleep()) {
                    return false;
                }
            } catch (Throwable t) {
                contain(active[i], t);
            }
        }
        return true;
    }

    /// When the next timed one is due, or `Long.MAX_VALUE`.
    long nextTimer() {
        Poller first = timers.first();
        return first == null ? Long.MAX_VALUE : first.nextRun;
    }

    /// The epoll descriptor with those of the fd pollers, or -1 if there has been none.
    int eventDescriptor() {
        return events == null ? -1 : events.descriptor();
    }

    /// The thread has ended.
    void close() {
        if (events != null) {
            events.close();
        }
    }
}
