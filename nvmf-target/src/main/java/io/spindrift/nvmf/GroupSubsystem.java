package io.spindrift.nvmf;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.spec.Nsid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// A subsystem on one poll group: the view that holds there, its channels, and its pauses.
///
/// A command first asks [#isPaused(long)] (or [#managementPaused()] for one that is no I/O): if so it is parked, else it
/// is counted in, and out at its end. A change pauses one namespace, or all, on every poll group and waits until their
/// commands have ended; the commands of other namespaces go on meanwhile, and Keep Alive, which asks for no pause.
///
/// All methods run on the poll group's thread.
public final class GroupSubsystem {
    private static final long NOT_PAUSED = -1;

    private final IoThread thread;
    private final HealthCounters.Part health;
    private final long since;
    private final List<ViewUser> users = new ArrayList<>();
    private SubsystemView view;
    /// By the view's slots.
    private GroupNamespace[] namespaces = {};
    private long pausedNsid = NOT_PAUSED;
    private int management;
    /// Waits for the commands of what is paused; null if nobody does.
    private Runnable whenQuiet;
    private ParkedCommand oldestParked;
    private ParkedCommand youngestParked;

    GroupSubsystem(IoThread thread, HealthCounters.Part health) {
        this.thread = thread;
        this.health = health;
        this.since = thread.now();
    }

    /// Counts the I/O commands that end here.
    public HealthCounters.Part health() {
        return health;
    }

    /// How long the subsystem has been here, in nanoseconds.
    public long ageNanos() {
        return thread.now() - since;
    }

    // ---- for commands -----------------------------------------------------------------------------------------

    /// The view that holds now.
    public SubsystemView view() {
        return view;
    }

    /// The namespace with this number, or null if there is none.
    public GroupNamespace namespace(long nsid) {
        int slot = view.slot(nsid);
        return slot < 0 ? null : namespaces[slot];
    }

    /// Whether commands for this namespace, whether it exists or not, must be parked.
    public boolean isPaused(long nsid) {
        return pausedNsid != NOT_PAUSED && (pausedNsid == nsid || pausedNsid == Nsid.BROADCAST);
    }

    /// Whether management commands must be parked.
    public boolean managementPaused() {
        return pausedNsid != NOT_PAUSED;
    }

    /// Counts a management command in.
    public void beginManagement() {
        management++;
    }

    /// Counts a management command out.
    public void endManagement() {
        management--;
        assert management >= 0;
        if (management == 0) {
            checkQuiet();
        }
    }

    /// Keeps a command until the pause is over. Those that are parked begin again in their order.
    public void park(ParkedCommand command) {
        assert thread.isCurrent() && managementPaused();
        command.next = null;
        if (oldestParked == null) {
            oldestParked = command;
        } else {
            youngestParked.next = command;
        }
        youngestParked = command;
    }

    /// Takes a command out of those that are parked; false if it is none of them.
    public boolean unpark(ParkedCommand command) {
        assert thread.isCurrent();
        ParkedCommand older = null;
        for (ParkedCommand parked = oldestParked; parked != null; parked = parked.next) {
            if (parked == command) {
                if (older == null) {
                    oldestParked = parked.next;
                } else {
                    older.next = parked.next;
                }
                if (youngestParked == parked) {
                    youngestParked = older;
                }
                parked.next = null;
                return true;
            }
            older = parked;
        }
        return false;
    }

    /// From now on `user` is told of new views.
    public void addUser(ViewUser user) {
        assert thread.isCurrent();
        users.add(user);
    }

    /// `user` is told no more.
    public void removeUser(ViewUser user) {
        assert thread.isCurrent();
        users.remove(user);
    }

    // ---- for changes ------------------------------------------------------------------------------------------

    /// Parks what comes for `nsid` from now on, and management commands, and runs `quiet` once those that had begun have
    /// ended: perhaps before this returns. [Nsid#BROADCAST] pauses all namespaces, [Nsid#NONE] management commands only.
    void pause(long nsid, Runnable quiet) {
        assert thread.isCurrent() && pausedNsid == NOT_PAUSED;
        pausedNsid = nsid;
        whenQuiet = quiet;
        checkQuiet();
    }

    /// Whether a change waits for the commands of this namespace to end.
    boolean awaits(long nsid) {
        return whenQuiet != null && isPaused(nsid);
    }

    void checkQuiet() {
        if (whenQuiet != null && isQuiet()) {
            Runnable waiting = whenQuiet;
            whenQuiet = null;
            waiting.run();
        }
    }

    private boolean isQuiet() {
        if (management > 0) {
            return false;
        }
        for (GroupNamespace namespace : namespaces) {
            if (namespace.outstanding() > 0 && isPaused(namespace.namespace().nsid())) {
                return false;
            }
        }
        return true;
    }

    /// Ends the pause.
    void resume() {
        assert thread.isCurrent() && pausedNsid != NOT_PAUSED && whenQuiet == null;
        pausedNsid = NOT_PAUSED;
        ParkedCommand command = oldestParked;
        oldestParked = null;
        youngestParked = null;
        while (command != null) {
            ParkedCommand following = command.next; // it may be parked again
            command.next = null;
            restart(command);
            command = following;
        }
    }

    private void restart(ParkedCommand command) {
        try {
            command.resumed();
        } catch (Throwable t) { // one command's bug must not keep the others waiting for ever
            thread.reactors().contain("a command that was parked", t);
        }
    }

    /// `next` holds from now on: opens the channels of new namespaces and gives back those of removed ones, which are
    /// paused. If a channel cannot be opened nothing has changed, and it throws.
    void publish(SubsystemView next) {
        assert thread.isCurrent();
        GroupNamespace[] changed = new GroupNamespace[next.count()];
        boolean complete = false;
        try {
            for (int slot = 0; slot < changed.length; slot++) {
                changed[slot] = keptOrOpened(next.namespace(slot));
            }
            complete = true;
        } finally {
            if (!complete) {
                releaseAllBut(changed, version -> version != 0);
            }
        }
        for (int slot = 0; slot < changed.length; slot++) {
            changed[slot].namespace = next.namespace(slot);
            changed[slot].viewVersion = next.version();
        }
        releaseAllBut(namespaces, version -> version == next.version());
        namespaces = changed;
        view = next;
        tellUsers();
    }

    private GroupNamespace keptOrOpened(NvmfNamespace wanted) {
        GroupNamespace same = view == null ? null : namespace(wanted.nsid());
        return same != null && same.namespace().descriptor() == wanted.descriptor()
                ? same
                : new GroupNamespace(this, wanted, wanted.descriptor().channel());
    }

    /// Gives the channels back of those whose last view is not to be kept.
    private static void releaseAllBut(GroupNamespace[] namespaces, LongPredicate kept) {
        for (GroupNamespace namespace : namespaces) {
            if (namespace != null && !kept.test(namespace.viewVersion)) {
                assert namespace.outstanding() == 0;
                namespace.channel().release();
            }
        }
    }

    private void tellUsers() {
        for (ViewUser user : List.copyOf(users)) {
            try {
                user.viewChanged(view);
            } catch (Throwable t) { // the others, and the change itself, must not suffer
                thread.reactors().contain("a user of a subsystem's view", t);
            }
        }
    }
}
