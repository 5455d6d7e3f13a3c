package io.spindrift.bdev.nvme;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Unsigned;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// What is typed for `bdev_nvme_attach_controller`.
record AttachForm(
        @Option({
                "-b", "--name"})
        @Description("of the controller; its bdevs are called NAMEn1, ...") String name,
        @Option({"-t", "--trtype"}) @Description("transport: TCP or PCIe") String trtype,
        @Option({"-a", "--traddr"}) @Description("the address") String traddr,
        @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6") Optional<String> adrfam,
        @Option({"-s", "--trsvcid"}) @Description("the port") Optional<String> trsvcid,
        @Option({"-p", "--priority"}) @Description("of the socket") Optional<String> priority,
        @Option({"-n", "--subnqn"}) @Description("the subsystem's NQN") Optional<String> subnqn,
        @Option({"-q", "--hostnqn"}) @Description("NQN to connect as") Optional<String> hostnqn,
        @Option({"-i", "--hostaddr"}) @Description("address to connect from") Optional<String> hostaddr,
        @Option({"-c", "--hostsvcid"}) @Description("port to connect from") Optional<String> hostsvcid,
        @Option({"-r", "--prchk-reftag"}) @Default("false")
        @Description("have the controller check reference tags") boolean prchkReftag,
        @Option({"-g", "--prchk-guard"}) @Default("false")
        @Description("have the controller check guards") boolean prchkGuard,
        @Option({"-e", "--hdgst"}) @Default("false") @Description("protect headers by a CRC") boolean hdgst,
        @Option({"-d", "--ddgst"}) @Default("false") @Description("protect data by a CRC") boolean ddgst,
        @Option("--fabrics-timeout") @Unsigned(64)
        @Description("limit of a connection, in us") OptionalLong fabricsConnectTimeoutUs,
        @Option({"-x", "--multipath"}) @Default("multipath")
        @Description("what another controller of the name is") AttachParams.Multipath multipath,
        @Option("--num-io-queues") @Unsigned(32) @Description("most I/O queues") OptionalLong numIoQueues,
        @Option({"-l", "--ctrlr-loss-timeout-sec"})
        @Description("s until a lost controller is given up; -1: never") OptionalInt ctrlrLossTimeoutSec,
        @Option({"-o", "--reconnect-delay-sec"}) @Unsigned(32)
        @Description("s between attempts to connect") OptionalLong reconnectDelaySec,
        @Option({"-u", "--fast-io-fail-timeout-sec"}) @Unsigned(32)
        @Description("s until I/O fails that waits; 0: never") OptionalLong fastIoFailTimeoutSec,
        @Option({"-k", "--psk"}) @Description("refused: there is no TLS yet") Optional<String> psk,
        @Option({"-m", "--max-bdevs"}) @Unsigned(32) @Default("128")
        @Description("most names in the answer") long maxBdevs,
        @Option("--dhchap-key") @Description("refused: hosts do not authenticate yet") Optional<String> dhchapKey,
        @Option("--dhchap-ctrlr-key")
        @Description("refused: hosts do not authenticate yet") Optional<String> dhchapCtrlrKey,
        @Option({"-U", "--allow-unrecognized-csi"}) @Default("false")
        @Description("refused: bdevs of other command sets") boolean allowUnrecognizedCsi,
        @Option("--policy") @Description("one path at a time, or all") Optional<MultipathPolicy.Policy> policy,
        @Option("--selector") @Description("how all take turns") Optional<MultipathPolicy.Selector> selector,
        @Option("--min-io") @Unsigned(32) @Description("I/Os before it is the next one's turn") Optional<Long> minIo,
        @Option("--disable-sq-flow-control") @Default("false")
        @Description("no SQ flow control") boolean disableSqFlowControl) implements CliForm<AttachParams> {
    @Override
    public AttachParams toParams() {
        return new AttachParams(name, trtype, adrfam, traddr, trsvcid, subnqn, prchkReftag, prchkGuard,
                ctrlrLossTimeoutSec, reconnectDelaySec, fastIoFailTimeoutSec, hostnqn, hdgst, ddgst, hostaddr,
                hostsvcid, multipath, fabricsConnectTimeoutUs, numIoQueues,
                SetOptionsForm.multipath(policy, selector, minIo), priority, psk, maxBdevs, dhchapKey, dhchapCtrlrKey,
                allowUnrecognizedCsi, disableSqFlowControl);
    }
}
