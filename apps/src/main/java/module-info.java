/// The programs: thin compositions of the modules below them, all started by one [io.spindrift.apps.Main].
///
/// Nothing depends on a program, so the module exports only the table; Dagger's components live in unexported packages.
@SuppressWarnings("requires-automatic") // dagger's jar names its module in its manifest only
module io.spindrift.apps {
    requires io.spindrift.bdev;
    requires transitive io.spindrift.framework; // what an embedded program is made of
    requires io.spindrift.nvme;
    requires io.spindrift.nvmf;
    requires io.spindrift.sock;
    requires HdrHistogram;
    requires dagger;
    requires info.picocli;
    requires jakarta.inject;
    requires tools.jackson.databind;

    exports io.spindrift.apps;

    opens io.spindrift.apps.bdevperf to io.spindrift.framework; // its RPC's parameters
    opens io.spindrift.apps.rpc to io.spindrift.framework; // its commands are declared as methods are

    uses io.spindrift.nvme.spi.NvmeTransportProvider;
    uses io.spindrift.sock.spi.SockImplementation;

    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.apps.bdevperf.BdevperfRpcs;
}
