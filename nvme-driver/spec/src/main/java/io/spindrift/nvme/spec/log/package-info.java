/// What Get Log Page returns. First type to read: [Lid]; the discovery log page is in `io.spindrift.nvme.spec.fabrics`.
package io.spindrift.nvme.spec.log;
