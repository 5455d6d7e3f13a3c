package io.spindrift.bdev.nvme;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcWait;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvme.HostIdentity;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.Nqn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// The methods about discovery services, and those that are followed.
final class DiscoveryRpcs {
    record StartParams(
            @Option({
                    "-b", "--name"})
            @Description("of the service; what it names is called NAME0, NAME1, ...") String name,
            @Option({"-q", "--hostnqn"}) @Description("NQN to connect as") Optional<String> hostnqn,
            @Option({"-t", "--trtype"}) @Description("transport: TCP") String trtype,
            @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6") Optional<String> adrfam,
            @Option({"-a", "--traddr"}) @Description("the address") String traddr,
            @Option({"-s", "--trsvcid"}) @Description("the port") Optional<String> trsvcid,
            @Option({"-w", "--wait-for-attach"}) @Default("false")
            @Description("answer when all that it names is attached") boolean waitForAttach,
            @Option({"-T", "--attach-timeout-ms"}) @Unsigned(64)
            @Description("how long to try to reach it; one attempt if left out") OptionalLong attachTimeoutMs,
            @Option({"-l", "--ctrlr-loss-timeout-sec"})
            @Description("of what it names: s until a lost controller is given up") OptionalInt ctrlrLossTimeoutSec,
            @Option({"-o", "--reconnect-delay-sec"}) @Unsigned(32)
            @Description("of what it names: s between attempts to connect") OptionalLong reconnectDelaySec,
            @Option({"-u", "--fast-io-fail-timeout-sec"}) @Unsigned(32)
            @Description("of what it names: s until I/O fails that waits") OptionalLong fastIoFailTimeoutSec) {
        TransportId id() {
            return new TransportId(trtype, adrfam.map(TransportId::family), traddr, trsvcid.orElse(""), Nqn.DISCOVERY);
        }

        PathSettings settings(HostIdentity host, NvmeBdevOptions options) {
            return new PathSettings(DriverSettings.of(options,
                    hostnqn.map(nqn -> DriverSettings.host(nqn, host)).orElse(host)),
                    new LossTimeouts(ctrlrLossTimeoutSec.orElse(options.ctrlrLossTimeoutSec()),
                            NvmeBdevOptions.toInt(reconnectDelaySec.orElse(options.reconnectDelaySec())),
                            NvmeBdevOptions.toInt(fastIoFailTimeoutSec.orElse(options.fastIoFailTimeoutSec()))),
                    0, true, options.multipathOpts().toPolicy(), Integer.MAX_VALUE, true);
        }

        /// With the values that apply where none are given.
        StartParams filled(PathSettings settings) {
            TransportId id = id();
            LossTimeouts timeouts = settings.timeouts();
            return new StartParams(name, Optional.of(settings.driver().host().nqn()), id.trtype(),
                    id.adrfam().map(family -> family.text()), traddr, trsvcid, waitForAttach, OptionalLong.empty(),
                    OptionalInt.of(timeouts.loss()), OptionalLong.of(timeouts.delay()),
                    OptionalLong.of(timeouts.fastFail()));
        }
    }

    record StopParams(@Option({"-b", "--name"}) @Description("name of the service") String name) {}

    static final RpcMethod<StartParams> START = RpcMethod
            .of("bdev_nvme_start_discovery", StartParams.class, RUNTIME)
            .summary("Follows a discovery service: attaches what it names, and detaches what it names no more.");
    static final RpcMethod<StopParams> STOP = RpcMethod.of("bdev_nvme_stop_discovery", StopParams.class, RUNTIME)
            .summary("Follows a discovery service no more, and detaches what it named.");
    static final RpcMethod<NoParams> GET_INFO = RpcMethod
            .of("bdev_nvme_get_discovery_info", NoParams.class, RUNTIME)
            .summary("Shows the discovery services that are followed, and what they name.");

    private final Supplier<NvmeBdevs> bdevs;
    private final Function<StartParams, PathSettings> settings;
    private final Map<String, Discovery> followed = new ConcurrentSkipListMap<>();

    /// `settings` are those of what a service names.
    DiscoveryRpcs(Supplier<NvmeBdevs> bdevs, Function<StartParams, PathSettings> settings) {
        this.bdevs = bdevs;
        this.settings = settings;
    }

    static List<RpcMethod<?>> methods() {
        return List.of(START, STOP, GET_INFO);
    }

    List<RpcBinding<?>> bindings() {
        return List.of(START.bind(this::start), STOP.bind(params -> {
            Discovery ending = followed.remove(params.name());
            if (ending == null) {
                throw new ErrnoException(Errno.ENOENT, "no discovery is named '" + params.name() + "'");
            }
            ending.stop();
            return true;
        }), GET_INFO.bind(_ -> followed.values().stream().map(DiscoveryRpcs::shown).toList()));
    }

    private Object start(StartParams params) {
        Discovery made;
        try {
            made = new Discovery(bdevs.get(), params, settings.apply(params));
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL, e.getMessage());
        }
        refuseFollowed(made);
        if (followed.putIfAbsent(params.name(), made) != null) {
            throw new ErrnoException(Errno.EEXIST, "a discovery named '" + params.name() + "' is followed already");
        }
        long limitMillis = params.attachTimeoutMs().orElse(0);
        if (params.waitForAttach()) {
            return new RpcWait(() -> {
                begin(made, limitMillis);
                return true;
            });
        }
        bdevs.get().reactors().control().submit(() -> {
            try {
                begin(made, limitMillis);
            } catch (Exception e) {
                bdevs.get().log().warn("discovery %s: given up: %s", made.name(), e.getMessage());
            }
            return null;
        });
        return true;
    }

    private void refuseFollowed(Discovery made) {
        followed.values().stream().filter(other -> other.id().equals(made.id())).findFirst().ifPresent(other -> {
            throw new ErrnoException(Errno.EEXIST, "the discovery service at " + made.id().traddr() + ":"
                    + made.id().trsvcid() + " is followed already, as " + other.name());
        });
    }

    private void begin(Discovery made, long limitMillis) throws Exception {
        boolean begun = false;
        try {
            made.start(limitMillis);
            begun = true;
        } catch (NvmeException e) {
            throw new ErrnoException(Errno.EIO, e.getMessage());
        } finally {
            if (!begun) {
                followed.remove(made.name(), made);
                made.stop();
            }
        }
    }

    private static Map<String, Object> shown(Discovery discovery) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", discovery.name());
        shown.put("trid", NvmeBdevReports.id(discovery.id()));
        shown.put("referrals",
                discovery.found().stream().map(id -> Map.of("trid", NvmeBdevReports.id(id))).toList());
        return shown;
    }

    List<ConfigEntry> config() {
        return followed.values().stream().map(each -> new ConfigEntry(START.name(), each.params())).toList();
    }

    /// The program ends: nothing new is attached any more.
    void close() {
        followed.values().forEach(Discovery::stop);
        followed.clear();
    }
}
