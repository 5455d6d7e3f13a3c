package io.spindrift.nvmf.reservation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/// The reservations of a namespace at one time. Immutable; any thread.
///
/// @param generation  counts Register, Clear and Preempt commands, in 32 bits
/// @param type        of the reservation that is held
/// @param holder      its one holder; empty without a reservation, and where all registrants hold it
/// @param persistent  Persist Through Power Loss: whether all this is kept
/// @param mask        the notifications that nobody is sent, as in the feature Reservation Notification Mask
/// @param registrants oldest first
public record Reservations(int generation, ReservationType type, Optional<UUID> holder, boolean persistent, int mask,
        List<Registrant> registrants) {
    /// Registrants of a namespace; a host that comes under ever new identifiers must not fill the memory.
    public static final int MAX_REGISTRANTS = 256;
    /// Of [#barred]: the host must not read.
    public static final int READS = 1;
    /// Of [#barred]: the host must not write.
    public static final int WRITES = 1 << 1;

    /// Nobody has registered.
    public static final Reservations NONE = new Reservations(0, ReservationType.NONE, Optional.empty(), false, 0,
            List.of());

    /// [IllegalArgumentException] says what does not fit together.
    public Reservations {
        registrants = List.copyOf(registrants);
        if (registrants.size() > MAX_REGISTRANTS) {
            throw new IllegalArgumentException(registrants.size() + " registrants are more than " + MAX_REGISTRANTS);
        }
        Set<UUID> hosts = new HashSet<>();
        for (Registrant registrant : registrants) {
            if (!hosts.add(registrant.hostId())) {
                throw new IllegalArgumentException("host " + registrant.hostId() + " is registered twice");
            }
        }
        if (holder.isPresent() && !hosts.contains(holder.get())) {
            throw new IllegalArgumentException("the holder " + holder.get() + " is not registered");
        }
        boolean oneHolder = type != ReservationType.NONE && !type.heldByAll();
        if (holder.isPresent() != oneHolder || type.heldByAll() && hosts.isEmpty()) {
            throw new IllegalArgumentException("a reservation of type " + type.code() + " has "
                    + (oneHolder || type.heldByAll() ? "a" : "no") + " holder");
        }
    }

    /// The registrant that this host is.
    public Optional<Registrant> registrant(UUID hostId) {
        return registrants.stream().filter(registrant -> registrant.hostId().equals(hostId)).findFirst();
    }

    /// Whether this host holds the reservation, perhaps with others.
    public boolean holds(UUID hostId) {
        return type.heldByAll() ? registrant(hostId).isPresent() : holder.isPresent() && holder.get().equals(hostId);
    }

    /// What the reservation keeps this host from: [#READS], [#WRITES] (NVM Express Base 2.0, 8.19.3).
    public int barred(UUID hostId) {
        if (type == ReservationType.NONE || holds(hostId)
                || type.sharedByRegistrants() && registrant(hostId).isPresent()) {
            return 0;
        }
        return type.barsReads() ? READS | WRITES : WRITES;
    }

    // ---- other states -------------------------------------------------------------------------------------------

    Reservations counted() {
        return new Reservations(generation + 1, type, holder, persistent, mask, registrants);
    }

    /// With another setting of Persist Through Power Loss.
    public Reservations persistent(boolean persists) {
        return new Reservations(generation, type, holder, persists, mask, registrants);
    }

    /// With another Reservation Notification Mask.
    public Reservations masked(int notifications) {
        return new Reservations(generation, type, holder, persistent, notifications, registrants);
    }

    /// Registers a host, or gives it another key.
    Reservations with(Registrant changed) {
        List<Registrant> all = new ArrayList<>(registrants);
        int index = all.stream().map(Registrant::hostId).toList().indexOf(changed.hostId());
        if (index < 0) {
            all.add(changed);
        } else {
            all.set(index, changed);
        }
        return new Reservations(generation, type, holder, persistent, mask, all);
    }

    /// Unregisters hosts; a reservation without a holder is released.
    Reservations without(Predicate<Registrant> removed) {
        List<Registrant> left = registrants.stream().filter(removed.negate()).toList();
        boolean held = type.heldByAll()
                ? !left.isEmpty()
                : left.stream().anyMatch(registrant -> holds(registrant.hostId()));
        return new Reservations(generation, held ? type : ReservationType.NONE, held ? holder : Optional.empty(),
                persistent, mask, left);
    }

    /// With this reservation instead of what was held.
    Reservations held(ReservationType as, UUID by) {
        return new Reservations(generation, as, as.heldByAll() ? Optional.empty() : Optional.of(by), persistent, mask,
                registrants);
    }

    Reservations released() {
        return new Reservations(generation, ReservationType.NONE, Optional.empty(), persistent, mask, registrants);
    }

    /// Whether a power loss would leave the same.
    public boolean keepsSameAs(Reservations other) {
        return persistent == other.persistent && (!persistent
                || type == other.type && holder.equals(other.holder) && registrants.equals(other.registrants));
    }
}
