package io.spindrift.nvmf.rpc;

import io.spindrift.nvmf.AnaState;
import io.spindrift.nvmf.AnaStates;
import io.spindrift.nvmf.ControllerReport.QueuePairReport;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.PollGroupReport;
import io.spindrift.nvmf.SubsystemOptions;
import io.spindrift.nvmf.SubsystemView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.LongStream;

/// What methods answer, in the peer's shapes.
final class Reports {
    /// Of more ANA groups than this, only those that have namespaces are shown.
    private static final long SHOWN_GROUPS = 1024;

    record Host(String nqn) {}

    record Namespace(long nsid, String bdevName, String name, String nguid, Optional<String> eui64, UUID uuid,
            OptionalLong anagrpid) {
        static Namespace of(NvmfNamespace namespace, boolean anaReporting) {
            String bdev = namespace.bdev().name();
            return new Namespace(namespace.nsid(), bdev, bdev, namespace.ids().nguid(), namespace.ids().eui64(),
                    namespace.ids().uuid(),
                    anaReporting ? OptionalLong.of(namespace.anaGroup()) : OptionalLong.empty());
        }
    }

    record AnaGroup(long anaGroup, AnaState anaState) {}

    record Listener(ListenAddress address, Optional<List<AnaGroup>> anaStates) {}

    private Reports() {}

    /// A map with these names and values, in this order.
    static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    static Map<String, Object> subsystem(NvmfSubsystem subsystem) {
        SubsystemView view = subsystem.view();
        boolean discovery = subsystem.subtype() == NvmfSubsystem.Subtype.DISCOVERY;
        Map<String, Object> report = ordered("nqn", subsystem.nqn(), "subtype", discovery ? "Discovery" : "NVMe",
                "listen_addresses",
                view.listeners().stream().map(listener -> ListenAddress.of(listener.address())).toList(),
                "allow_any_host", subsystem.view().allowsAnyHost(), "hosts",
                subsystem.view().hosts().stream().map(Host::new).toList());
        if (!discovery) {
            report.putAll(details(subsystem.options()));
            boolean ana = subsystem.options().anaReporting();
            report.put("namespaces", view.namespaces().stream().map(ns -> Namespace.of(ns, ana)).toList());
        }
        return report;
    }

    private static Map<String, Object> details(SubsystemOptions options) {
        return ordered("serial_number", options.serialNumber(), "model_number", options.modelNumber(), "admin_label",
                Optional.of(options.adminLabel()).filter(label -> !label.isEmpty()), "max_namespaces",
                options.maxNamespaces() == 0 ? OptionalLong.empty() : OptionalLong.of(options.maxNamespaces()),
                "passthrough", options.passthrough(), "min_cntlid", options.minCntlid(), "max_cntlid",
                options.maxCntlid(), "dmrsl", options.dmrsl(), "wzsl", options.wzsl());
    }

    static List<Listener> listeners(SubsystemView view) {
        boolean ana = view.subsystem().options().anaReporting();
        return view.listeners().stream().map(listener -> new Listener(ListenAddress.of(listener.address()),
                ana ? Optional.of(groups(view, listener)) : Optional.empty())).toList();
    }

    private static List<AnaGroup> groups(SubsystemView view, NvmfListener listener) {
        AnaStates states = listener.states();
        long all = view.subsystem().options().maxNsid();
        LongStream numbers = all <= SHOWN_GROUPS
                ? LongStream.rangeClosed(1, all)
                : LongStream.concat(view.namespaces().stream().mapToLong(NvmfNamespace::anaGroup),
                        states.others().keySet().stream().mapToLong(Long::longValue)).sorted().distinct();
        return numbers.mapToObj(number -> new AnaGroup(number, states.state(number))).toList();
    }

    static Map<String, Object> pollGroup(PollGroupReport group) {
        return ordered("name", group.name(), "admin_qpairs", group.adminQueuePairs(), "io_qpairs",
                group.ioQueuePairs(), "current_admin_qpairs", group.currentAdminQueuePairs(), "current_io_qpairs",
                group.currentIoQueuePairs(), "current_unassociated_qpairs", group.currentUnassociatedQueuePairs(),
                "pending_bdev_io", group.pendingBdevIo(), "completed_nvme_io", group.completedNvmeIo(), "transports",
                group.transports().stream().map(transport -> {
                    Map<String, Object> report = ordered("trtype", transport.trtype());
                    report.putAll(transport.statistics());
                    return report;
                }).toList());
    }

    static Map<String, Object> queuePair(QueuePairReport pair) {
        return ordered("cntlid", pair.cntlid(), "qid", pair.qid(), "state", pair.state(), "thread", pair.thread(),
                "hostnqn", pair.hostnqn(), "listen_address", pair.listen().map(ListenAddress::of), "peer_address",
                pair.peer().map(ListenAddress::of));
    }
}
