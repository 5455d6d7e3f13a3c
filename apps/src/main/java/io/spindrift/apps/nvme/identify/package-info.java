/// spdk_nvme_identify: prints what a controller says of itself. First types to read:
/// [io.spindrift.apps.nvme.identify.Findings], which asks it everything, and [io.spindrift.apps.nvme.identify.Sheet], on which
/// the sections write it down: lines and columns are those of SPDK's program, for tools read them.
package io.spindrift.apps.nvme.identify;
