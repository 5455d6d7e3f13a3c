/// The dwords of commands and the data that goes with them: admin commands, and those of the NVM command set. First
/// type to read: [LbaCommand]. The common part of a command is [io.spindrift.nvme.spec.SubmissionQueueEntry]; those
/// of Fabrics are in `io.spindrift.nvme.spec.fabrics`.
package io.spindrift.nvme.spec.command;
