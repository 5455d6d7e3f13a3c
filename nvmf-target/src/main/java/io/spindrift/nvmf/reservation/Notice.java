package io.spindrift.nvmf.reservation;

import java.util.UUID;

/// A reservation notification, for the controllers of a host (NVM Express Base 2.0, 8.19.1).
///
/// @param hostId who is told
/// @param type   of the Reservation Notification log page
public record Notice(UUID hostId, int type) {}
