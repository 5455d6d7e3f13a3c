package io.spindrift.bdev.nvme;

import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.nvme.NvmeBdevOptions.MultipathOptions;
import io.spindrift.framework.Check;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.HostIdentity;
import io.spindrift.nvme.TransportId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Parameters of `bdev_nvme_attach_controller`, in the order in which `save_config` writes them.
record AttachParams(
        @Description("of the controller; its bdevs are called NAMEn1, ...") String name,
        @Description("transport: TCP or PCIe") String trtype,
        @Description("kind of address: IPv4, IPv6; inferred from it if left out") Optional<String> adrfam,
        @Description("the address") String traddr,
        @Description("the port") Optional<String> trsvcid,
        @Description("the subsystem's NQN") Optional<String> subnqn,
        @Default("false") @Description("have the controller check reference tags") boolean prchkReftag,
        @Default("false") @Description("have the controller check guards") boolean prchkGuard,
        @Description("s until a lost controller is given up; -1: never") OptionalInt ctrlrLossTimeoutSec,
        @Unsigned(32) @Description("s between attempts to connect") OptionalLong reconnectDelaySec,
        @Unsigned(32) @Description("s until I/O fails that waits; 0: never") OptionalLong fastIoFailTimeoutSec,
        @Description("NQN to connect as; one of its own if left out") Optional<String> hostnqn,
        @Default("false") @Description("protect headers by a CRC") boolean hdgst,
        @Default("false") @Description("protect data by a CRC") boolean ddgst,
        @Description("address to connect from") Optional<String> hostaddr,
        @Description("port to connect from") Optional<String> hostsvcid,
        @Default("multipath")
        @Description("what another controller of the name is: another path, a place to fail over to, an error") Multipath multipath,
        @Unsigned(64)
        @Description("limit of a connection and of each command that makes it, in us; 10 s if left out") OptionalLong fabricsConnectTimeoutUs,
        @Unsigned(32) @Description("most I/O queues; 1024 if left out") OptionalLong numIoQueues,
        @Description("how a bdev chooses a path") Optional<MultipathOptions> multipathOpts,
        @Description("of the socket") Optional<String> priority,
        @Description("refused: there is no TLS yet") Optional<String> psk,
        @Unsigned(32) @Default("128") @Description("most names in the answer") long maxBdevs,
        @Description("refused: hosts do not authenticate yet") Optional<String> dhchapKey,
        @Description("refused: hosts do not authenticate yet") Optional<String> dhchapCtrlrKey,
        @Default("false") @Description("refused: bdevs of other command sets") boolean allowUnrecognizedCsi,
        @Default("false")
        @Description("no SQ flow control, where the controller can do without") boolean disableSqFlowControl) {
    /// What another controller of the name is.
    enum Multipath {
        FAILOVER, MULTIPATH, DISABLE
    }

    private static final int MOST_QUEUES = 65_535;

    AttachParams {
        refuse("psk", psk);
        refuse("dhchap_key", dhchapKey);
        refuse("dhchap_ctrlr_key", dhchapCtrlrKey);
        if (allowUnrecognizedCsi) {
            throw new IllegalArgumentException(
                    "allow_unrecognized_csi=true: namespaces of other command sets than NVM are no bdevs here");
        }
        if (maxBdevs == 0) {
            throw new IllegalArgumentException("max_bdevs=0 must be at least 1");
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name= is empty");
        }
        numIoQueues.ifPresent(number -> Check.range("num_io_queues", number, 1, MOST_QUEUES + 1));
        fabricsConnectTimeoutUs.ifPresent(
                micros -> Check.range("fabrics_connect_timeout_us", micros, 1000, Integer.MAX_VALUE * 1000L));
        priority.ifPresent(AttachParams::number);
    }

    private static void refuse(String parameter, Optional<String> value) {
        value.ifPresent(given -> {
            throw new IllegalArgumentException(parameter + "=" + given + ": keys are not supported yet");
        });
    }

    private static int number(String priority) {
        try {
            int number = Integer.parseInt(priority);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the sentence below says it
        }
        throw new IllegalArgumentException("priority=" + priority + " is no number from 0 on");
    }

    TransportId id() {
        return new TransportId(trtype, adrfam.map(TransportId::family), traddr, trsvcid.orElse(""),
                subnqn.orElse(""));
    }

    int checks() {
        return (prchkReftag ? Dif.CHECK_REFERENCE_TAG : 0) | (prchkGuard ? Dif.CHECK_GUARD : 0);
    }

    /// How the controller is to be used, where `host` and `options` say what is not given.
    PathSettings settings(HostIdentity host, NvmeBdevOptions options) {
        ControllerOptions driver = DriverSettings.of(options,
                hostnqn.map(nqn -> DriverSettings.host(nqn, host)).orElse(host).from(hostaddr, hostsvcid));
        driver = driver
                .withFabrics(new ControllerOptions.Fabrics(hdgst, ddgst, disableSqFlowControl, options.transportTos(),
                        priority.map(AttachParams::number).orElse(0)));
        if (numIoQueues.isPresent()) {
            driver = driver.withQueues(
                    driver.queues().withIoQueues((int) Math.min(numIoQueues.getAsLong(), MOST_QUEUES)));
        }
        if (fabricsConnectTimeoutUs.isPresent()) {
            driver = driver.withTimeouts(driver.timeouts().withConnect(fabricsConnectTimeoutUs.getAsLong() / 1000));
        }
        LossTimeouts timeouts = new LossTimeouts(ctrlrLossTimeoutSec.orElse(options.ctrlrLossTimeoutSec()),
                NvmeBdevOptions.toInt(reconnectDelaySec.orElse(options.reconnectDelaySec())),
                NvmeBdevOptions.toInt(fastIoFailTimeoutSec.orElse(options.fastIoFailTimeoutSec())));
        return new PathSettings(driver, timeouts, checks(), multipath != Multipath.FAILOVER,
                multipathOpts.orElse(options.multipathOpts()).toPolicy(),
                NvmeBdevOptions.toInt(maxBdevs), false);
    }

    /// What attaches the controller at `id` again.
    static AttachParams of(String name, TransportId id, PathSettings settings) {
        ControllerOptions driver = settings.driver();
        LossTimeouts timeouts = settings.timeouts();
        return new AttachParams(name, id.trtype(), id.adrfam().map(family -> family.text()), id.traddr(),
                text(id.trsvcid()), text(id.subnqn()), (settings.checks() & Dif.CHECK_REFERENCE_TAG) != 0,
                (settings.checks() & Dif.CHECK_GUARD) != 0, OptionalInt.of(timeouts.loss()),
                OptionalLong.of(timeouts.delay()), OptionalLong.of(timeouts.fastFail()),
                id.isPcie() ? Optional.empty() : Optional.of(driver.host().nqn()), driver.fabrics().headerDigest(),
                driver.fabrics().dataDigest(), driver.host().address(), driver.host().service(),
                settings.multipath() ? Multipath.MULTIPATH : Multipath.FAILOVER,
                OptionalLong.of(driver.timeouts().connectMillis() * 1000),
                OptionalLong.of(driver.queues().ioQueues()), Optional.of(MultipathOptions.of(settings.policy())),
                driver.fabrics().priority() == 0
                        ? Optional.empty()
                        : Optional.of(Integer.toString(driver.fabrics().priority())),
                Optional.empty(), settings.maxBdevs(), Optional.empty(), Optional.empty(), false,
                driver.fabrics().disableFlowControl());
    }

    private static Optional<String> text(String value) {
        return Optional.of(value).filter(given -> !given.isEmpty());
    }
}
