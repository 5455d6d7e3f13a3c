package io.spindrift.bdev.nvme;

import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The results of this module's RPCs, in the shapes that tools read.
final class NvmeBdevReports {
    private NvmeBdevReports() {}

    // ---- bdev_nvme_get_controllers ----------------------------------------------------------------------------

    static Map<String, Object> subsystem(AttachedSubsystem subsystem) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", subsystem.name());
        shown.put("ctrlrs", subsystem.paths().stream().map(NvmeBdevReports::path).toList());
        return shown;
    }

    private static Map<String, Object> path(ControllerPath path) {
        List<TransportId> ids = path.ids();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("state", state(path));
        shown.put("trid", id(ids.getFirst()));
        if (ids.size() > 1) {
            shown.put("alternate_trids", ids.subList(1, ids.size()).stream().map(NvmeBdevReports::id).toList());
        }
        shown.put("cntlid", path.controller().data().cntlid());
        Map<String, Object> host = new LinkedHashMap<>();
        host.put("nqn", path.settings().driver().host().nqn());
        host.put("addr", path.settings().driver().host().address().orElse(""));
        host.put("svcid", path.settings().driver().host().service().orElse(""));
        host.put("no_shn_notification", false);
        shown.put("host", host);
        return shown;
    }

    private static String state(ControllerPath path) {
        return path.hasFailed() ? "failed" : path.state().name().toLowerCase(java.util.Locale.ROOT);
    }

    static Map<String, Object> id(TransportId id) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("trtype", id.trtype());
        id.adrfam().ifPresent(family -> shown.put("adrfam", family.text()));
        shown.put("traddr", id.traddr());
        if (!id.trsvcid().isEmpty()) {
            shown.put("trsvcid", id.trsvcid());
        }
        if (!id.subnqn().isEmpty()) {
            shown.put("subnqn", id.subnqn());
        }
        return shown;
    }

    // ---- bdev_get_bdevs ---------------------------------------------------------------------------------------

    static Map<String, Object> bdev(NvmeBdev bdev) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("nvme", bdev.paths().stream().map(NvmeBdevReports::namespace).toList());
        MultipathPolicy policy = bdev.policy();
        shown.put("mp_policy", text(policy.policy()));
        if (policy.activeActive()) {
            shown.put("selector", text(policy.selector()));
        }
        if (policy.roundRobin()) {
            shown.put("rr_min_io", policy.minIo());
        }
        return shown;
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static Map<String, Object> namespace(NamespacePath path) {
        NvmeController controller = path.path().controller();
        ControllerData data = controller.data();
        Map<String, Object> shown = new LinkedHashMap<>();
        if (path.path().id().isPcie()) {
            shown.put("pci_address", path.path().id().traddr());
        }
        shown.put("trid", id(path.path().id()));
        shown.put("ctrlr_data", controllerData(data));
        shown.put("vs", Map.of("nvme_version", version(data.vs())));
        Map<String, Object> namespace = new LinkedHashMap<>();
        namespace.put("id", path.nsid());
        if (data.reportsAna()) {
            namespace.put("ana_state", AnaGroupDescriptor.name(path.anaState()));
        }
        namespace.put("can_share", path.namespace().shared());
        shown.put("ns_data", namespace);
        if (data.oacs(ControllerBits.OACS_SECURITY)) {
            shown.put("security", Map.of("opal", false));
        }
        return shown;
    }

    private static Map<String, Object> controllerData(ControllerData data) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("cntlid", data.cntlid());
        shown.put("vendor_id", String.format("0x%04x", IdentifyController.VID.get(data.page(), 0)));
        shown.put("model_number", data.modelNumber());
        shown.put("serial_number", data.serialNumber());
        shown.put("firmware_revision", data.firmwareRevision());
        if (!data.subnqn().isEmpty()) {
            shown.put("subnqn", data.subnqn());
        }
        Map<String, Object> oacs = new LinkedHashMap<>();
        oacs.put("security", data.oacs(ControllerBits.OACS_SECURITY) ? 1 : 0);
        oacs.put("format", data.oacs(ControllerBits.OACS_FORMAT_NVM) ? 1 : 0);
        oacs.put("firmware", data.oacs(ControllerBits.OACS_FIRMWARE) ? 1 : 0);
        oacs.put("ns_manage", data.oacs(ControllerBits.OACS_NAMESPACE_MANAGEMENT) ? 1 : 0);
        shown.put("oacs", oacs);
        shown.put("multi_ctrlr", (IdentifyController.CMIC.get(data.page(), 0)
                & ControllerBits.CMIC_MULTIPLE_CONTROLLERS) != 0);
        shown.put("ana_reporting", data.reportsAna());
        return shown;
    }

    /// `1.4`, `1.2.1`.
    private static String version(int vs) {
        String text = Version.mjr(vs) + "." + Version.mnr(vs);
        return Version.ter(vs) == 0 ? text : text + "." + Version.ter(vs);
    }
}
