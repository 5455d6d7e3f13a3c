package io.spindrift.bdev.nvme;

import io.spindrift.nvme.ControllerOptions;

/// How a controller was attached.
///
/// @param driver      what the driver is told
/// @param timeouts    what happens when it cannot be reached
/// @param checks      protection checks that it makes, the `CHECK_` bits of [io.spindrift.bdev.dif.Dif]
/// @param multipath   whether another controller of the name is another path, and not one to fail over to
/// @param policy      of its bdevs, when they are made
/// @param maxBdevs    the most names that the answer has
/// @param discovered  whether discovery attached it, which attaches it again
record PathSettings(ControllerOptions driver, LossTimeouts timeouts, int checks, boolean multipath,
        MultipathPolicy policy, int maxBdevs, boolean discovered) {}
