package io.spindrift.nvmf.reservation;

/// A change of a namespace's reservations: what a command makes of the state that it finds. Runs on the control path.
@FunctionalInterface
public interface ReservationChange {
    /// `persists` says whether the namespace keeps its reservations through power loss if it is asked to.
    Outcome apply(Reservations now, boolean persists);
}
