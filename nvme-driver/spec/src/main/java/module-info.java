/// The layouts of NVMe, NVMe over Fabrics and NVMe/TCP, for both ends of the wire: numbers and offsets, no state, no
/// threads.
///
/// First package to read: `io.spindrift.nvme.spec`. It knows no other module.
module io.spindrift.nvme.spec {
    exports io.spindrift.nvme.spec;
    exports io.spindrift.nvme.spec.command;
    exports io.spindrift.nvme.spec.fabrics;
    exports io.spindrift.nvme.spec.feature;
    exports io.spindrift.nvme.spec.identify;
    exports io.spindrift.nvme.spec.log;
    exports io.spindrift.nvme.spec.tcp;
}
