/// Reservations of a namespace (NVM Express Base 2.0, 8.19): who has registered a key, who holds a reservation, and what
/// that lets each host do.
///
/// [Reservations] is the state, immutable; [ReservationRules] says what a command makes of it, an [Outcome]; [PtplFile]
/// keeps it through power loss. Nothing here has a thread: the subsystem changes a namespace's state on the control path and
/// publishes it to the poll groups, which work out what each queue pair's host may do.
///
/// Words: a *registrant* is a host, by its host identifier, that has registered a key; the *holder* is the registrant that
/// holds the reservation: of the types for all registrants, each of them.
package io.spindrift.nvmf.reservation;
