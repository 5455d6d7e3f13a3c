/// NVMe over Fabrics: Connect and the other Fabrics commands, and the discovery log page. First type to read:
/// [ConnectCommand].
package io.spindrift.nvme.spec.fabrics;
