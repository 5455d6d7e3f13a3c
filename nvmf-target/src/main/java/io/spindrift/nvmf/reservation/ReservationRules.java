package io.spindrift.nvmf.reservation;

import static io.spindrift.nvme.spec.GenericStatus.INTERNAL_ERROR;
import static io.spindrift.nvme.spec.GenericStatus.INVALID_FIELD;
import static io.spindrift.nvme.spec.GenericStatus.RESERVATION_CONFLICT;

import io.spindrift.nvme.spec.command.ReservationCommand;
import io.spindrift.nvme.spec.feature.FeatureDword;
import io.spindrift.nvme.spec.log.ReservationNotificationLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/// What the reservation commands of a host make of a namespace's state (NVM Express Base 2.0, 8.19). Any thread.
///
/// Where a host is told of another's command the specification speaks of controllers: all controllers of the host are meant.
public final class ReservationRules {
    private ReservationRules() {}

    // ---- Reservation Register (8.19.2, 8.19.4) --------------------------------------------------------------------

    /// Reservation Register of `host`; `persists` says whether the namespace can keep its state through power loss.
    public static Outcome register(Reservations now, boolean persists, UUID host, int action, boolean ignoreKey,
            int cptpl, long currentKey, long newKey) {
        boolean persistent = now.persistent();
        switch (cptpl) {
            case ReservationCommand.CPTPL_NO_CHANGE -> {
            }
            case ReservationCommand.CPTPL_CLEAR -> persistent = false;
            case ReservationCommand.CPTPL_PERSIST -> {
                if (!persists) {
                    return Outcome.refused(now, INVALID_FIELD);
                }
                persistent = true;
            }
            default -> {
                return Outcome.refused(now, INVALID_FIELD);
            }
        }
        Optional<Registrant> registrant = now.registrant(host);
        Outcome outcome = switch (action) {
            case ReservationCommand.RREGA_REGISTER -> register(now, host, registrant, newKey);
            case ReservationCommand.RREGA_UNREGISTER -> registrant.isPresent()
                    && (ignoreKey || registrant.get().key() == currentKey)
                            ? unregister(now, host)
                            : Outcome.refused(now, RESERVATION_CONFLICT);
            case ReservationCommand.RREGA_REPLACE ->
                replace(now, host, registrant, ignoreKey, currentKey, newKey);
            default -> Outcome.refused(now, INVALID_FIELD);
        };
        return outcome.status() != 0
                ? outcome
                : Outcome.of(outcome.next().persistent(persistent).counted(), outcome.notices());
    }

    private static Outcome register(Reservations now, UUID host, Optional<Registrant> registrant, long key) {
        if (key == 0) {
            return Outcome.refused(now, INVALID_FIELD);
        }
        if (registrant.isPresent()) {
            return registrant.get().key() == key ? Outcome.of(now) : Outcome.refused(now, RESERVATION_CONFLICT);
        }
        return now.registrants().size() == Reservations.MAX_REGISTRANTS
                ? Outcome.refused(now, INTERNAL_ERROR)
                : Outcome.of(now.with(new Registrant(host, key)));
    }

    private static Outcome replace(Reservations now, UUID host, Optional<Registrant> registrant, boolean ignoreKey,
            long currentKey, long key) {
        if (key == 0) {
            return Outcome.refused(now, INVALID_FIELD);
        }
        if (registrant.isEmpty()) {
            return ignoreKey
                    ? register(now, host, registrant, key)
                    : Outcome.refused(now, RESERVATION_CONFLICT);
        }
        return ignoreKey || registrant.get().key() == currentKey
                ? Outcome.of(now.with(new Registrant(host, key)))
                : Outcome.refused(now, RESERVATION_CONFLICT);
    }

    /// Registrants who lose the access that the reservation gave them are told.
    private static Outcome unregister(Reservations now, UUID host) {
        Reservations next = now.without(registrant -> registrant.hostId().equals(host));
        boolean released = now.type() != next.type() && now.type().sharedByRegistrants();
        return Outcome.of(next, released
                ? notices(now, next.registrants(), host, ReservationNotificationLog.TYPE_RESERVATION_RELEASED)
                : List.of());
    }

    // ---- Reservation Acquire (8.19.5, 8.19.7) ---------------------------------------------------------------------

    /// Reservation Acquire of `host`.
    public static Outcome acquire(Reservations now, UUID host, int action, boolean ignoreKey, int rtype,
            long currentKey, long preemptKey) {
        Optional<ReservationType> type = ReservationType.of(rtype);
        if (ignoreKey || type.isEmpty() || type.get() == ReservationType.NONE
                || action > ReservationCommand.RACQA_PREEMPT_AND_ABORT) {
            return Outcome.refused(now, INVALID_FIELD);
        }
        Optional<Registrant> registrant = now.registrant(host);
        if (registrant.isEmpty() || registrant.get().key() != currentKey) {
            return Outcome.refused(now, RESERVATION_CONFLICT);
        }
        if (action != ReservationCommand.RACQA_ACQUIRE) {
            Outcome outcome = preempt(now, host, type.get(), preemptKey);
            return action == ReservationCommand.RACQA_PREEMPT_AND_ABORT && outcome.status() == 0
                    ? outcome.aborting()
                    : outcome;
        }
        if (now.type() == ReservationType.NONE) {
            return Outcome.of(now.held(type.get(), host));
        }
        return now.holds(host) && now.type() == type.get()
                ? Outcome.of(now)
                : Outcome.refused(now, RESERVATION_CONFLICT);
    }

    private static Outcome preempt(Reservations now, UUID host, ReservationType type, long key) {
        boolean oneHolder = now.holder().isPresent();
        if (now.type().heldByAll() && key == 0) {
            return replaced(now, host, type, registrant -> true);
        }
        if (oneHolder && now.registrant(now.holder().get()).orElseThrow().key() == key) {
            return replaced(now, host, type, registrant -> registrant.key() == key);
        }
        if (oneHolder && key == 0) {
            return Outcome.refused(now, INVALID_FIELD);
        }
        if (now.registrants().stream().noneMatch(registrant -> registrant.key() == key)) {
            return Outcome.refused(now, RESERVATION_CONFLICT);
        }
        Reservations next = now.without(registrant -> registrant.key() == key);
        return Outcome.of(next.counted(), preempted(now, next, host));
    }

    /// The reservation becomes one of `host`; the `victims` but this host are unregistered.
    private static Outcome replaced(Reservations now, UUID host, ReservationType type, Predicate<Registrant> victims) {
        Reservations next = now.released().without(
                registrant -> !registrant.hostId().equals(host) && victims.test(registrant)).held(type, host);
        List<Notice> notices = new ArrayList<>(preempted(now, next, host));
        if (type != now.type()) {
            notices.addAll(notices(now, next.registrants(), host,
                    ReservationNotificationLog.TYPE_RESERVATION_RELEASED));
        }
        return Outcome.of(next.counted(), notices);
    }

    private static List<Notice> preempted(Reservations now, Reservations next, UUID host) {
        List<Registrant> gone = now.registrants().stream()
                .filter(registrant -> next.registrant(registrant.hostId()).isEmpty()).toList();
        return notices(now, gone, host, ReservationNotificationLog.TYPE_REGISTRATION_PREEMPTED);
    }

    // ---- Reservation Release (8.19.6, 8.19.8) ---------------------------------------------------------------------

    /// Reservation Release of `host`.
    public static Outcome release(Reservations now, UUID host, int action, boolean ignoreKey, int rtype,
            long currentKey) {
        if (ignoreKey || action > ReservationCommand.RRELA_CLEAR) {
            return Outcome.refused(now, INVALID_FIELD);
        }
        Optional<Registrant> registrant = now.registrant(host);
        if (registrant.isEmpty() || registrant.get().key() != currentKey) {
            return Outcome.refused(now, RESERVATION_CONFLICT);
        }
        if (action == ReservationCommand.RRELA_CLEAR) {
            return Outcome.of(now.without(_ -> true).counted(), notices(now, now.registrants(), host,
                    ReservationNotificationLog.TYPE_RESERVATION_PREEMPTED));
        }
        if (!now.holds(host)) {
            return Outcome.of(now);
        }
        if (now.type().code() != rtype) {
            return Outcome.refused(now, INVALID_FIELD);
        }
        return Outcome.of(now.released(), now.type().sharedByRegistrants()
                ? notices(now, now.registrants(), host, ReservationNotificationLog.TYPE_RESERVATION_RELEASED)
                : List.of());
    }

    // ---- notifications --------------------------------------------------------------------------------------------

    private static List<Notice> notices(Reservations now, List<Registrant> told, UUID butNot, int type) {
        int masked = switch (type) {
            case ReservationNotificationLog.TYPE_REGISTRATION_PREEMPTED -> FeatureDword.REGPRE;
            case ReservationNotificationLog.TYPE_RESERVATION_RELEASED -> FeatureDword.RESREL;
            default -> FeatureDword.RESPRE;
        };
        return (now.mask() & masked) != 0
                ? List.of()
                : told.stream().map(Registrant::hostId).filter(host -> !host.equals(butNot))
                        .map(host -> new Notice(host, type)).toList();
    }
}
