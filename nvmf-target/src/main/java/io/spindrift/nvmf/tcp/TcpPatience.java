package io.spindrift.nvmf.tcp;

import java.util.concurrent.TimeUnit;

/// What a connection waits for its host to do, and since when: whatever it is, the host has [#LIMIT_NANOS] for it, so that
/// one that stops, or goes on a byte at a time, does not keep what it has for ever. Times are ticks of the group's thread.
final class TcpPatience {
    /// For a Connect that succeeds, for the rest of a PDU, for the next of the data that an R2T has asked for, for the next
    /// response to be taken, and for the second command of a fused operation.
    static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    /// For the end of a connection that was sent a terminate request.
    private static final long TERMINATION_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// For the data of a device's own memory, when a change of the namespace waits for them: other hosts wait for that.
    static final long CHANGE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long opened;
    private boolean keepsChange;
    private long changeWaits;
    private long pduBegan;
    private int transfers;
    private long lastTransfer;
    private int sends;
    private long lastSent;
    private long terminated;

    TcpPatience(long now) {
        opened = now;
    }

    /// The first bytes of a PDU arrive, or the rest may come after it had to wait here.
    void pduBegins(long now) {
        pduBegan = now;
    }

    /// The host is asked for a command's data.
    void transferBegins(long now) {
        transfers++;
        lastTransfer = now;
    }

    /// Some of the data have come.
    void transferGoesOn(long now) {
        lastTransfer = now;
    }

    /// All of a command's data have come, or are not wanted any more.
    void transferEnds() {
        transfers--;
    }

    /// Something is sent.
    void sendBegins(long now) {
        if (sends++ == 0) {
            lastSent = now;
        }
    }

    /// The kernel has taken it, or never does.
    void sendEnds(long now) {
        sends--;
        lastSent = now;
    }

    /// A terminate request is sent.
    void terminates(long now) {
        terminated = now;
    }

    /// Whether a host that was sent a terminate request has had time enough to go.
    boolean terminationIsOver(long now) {
        return now - terminated > TERMINATION_NANOS;
    }

    /// Whether the host has kept a change waiting for too long; `keeps` says whether it does at the moment.
    boolean keepsChangeTooLong(long now, boolean keeps) {
        if (keeps && !keepsChange) {
            changeWaits = now;
        }
        keepsChange = keeps;
        return keeps && now - changeWaits > CHANGE_NANOS;
    }

    /// Whether the host has kept the connection waiting for too long.
    boolean isOver(long now, boolean connected, boolean insidePdu) {
        return !connected && now - opened > LIMIT_NANOS
                || insidePdu && now - pduBegan > LIMIT_NANOS
                || transfers > 0 && now - lastTransfer > LIMIT_NANOS
                || sends > 0 && now - lastSent > LIMIT_NANOS;
    }
}
