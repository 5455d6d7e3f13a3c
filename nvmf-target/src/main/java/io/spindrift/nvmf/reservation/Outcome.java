package io.spindrift.nvmf.reservation;

import io.spindrift.nvme.spec.Status;
import java.util.List;

/// What a command makes of a namespace's reservations.
///
/// @param status  how the command ends
/// @param next    the state after it: the same as before if it fails
/// @param notices what other hosts are told
/// @param aborts  whether commands that have begun must end before it does (Preempt and Abort)
public record Outcome(int status, Reservations next, List<Notice> notices, boolean aborts) {
    /// The command fails with this status, not to be retried.
    public static Outcome refused(Reservations unchanged, int status) {
        return new Outcome(Status.withDnr(status), unchanged, List.of(), false);
    }

    /// It succeeds, and nobody is told.
    public static Outcome of(Reservations next) {
        return new Outcome(Status.SUCCESS, next, List.of(), false);
    }

    static Outcome of(Reservations next, List<Notice> notices) {
        return new Outcome(Status.SUCCESS, next, notices, false);
    }

    Outcome aborting() {
        return new Outcome(status, next, notices, true);
    }
}
