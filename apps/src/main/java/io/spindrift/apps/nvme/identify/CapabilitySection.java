package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import java.lang.foreign.MemorySegment;

/// What a controller is, and what its registers say that it can.
final class CapabilitySection {
    private static final int WIDTH = 39;
    private static final int HALF_SECOND = 500;
    private static final int PAGE = 4096;

    private final Sheet sheet;
    private final Findings findings;
    private final MemorySegment page;
    private final long cap;

    private CapabilitySection(Sheet sheet, Findings findings) {
        this.sheet = sheet;
        this.findings = findings;
        this.page = findings.page();
        this.cap = findings.data().cap();
    }

    static void write(Sheet sheet, Findings findings) {
        CapabilitySection section = new CapabilitySection(sheet, findings);
        sheet.title("Controller Capabilities/Features", WIDTH);
        section.identity();
        section.registers();
        section.events();
        section.attributes();
        sheet.gap();
        section.memories();
    }

    private void identity() {
        sheet.row("Vendor ID:", "%04x", IdentifyController.VID.get(page, 0));
        sheet.row("Subsystem Vendor ID:", "%04x", IdentifyController.SSVID.get(page, 0));
        sheet.row("Serial Number:", printable(findings.data().serialNumber()));
        sheet.row("Model Number:", printable(findings.data().modelNumber()));
        sheet.row("Firmware Version:", printable(findings.data().firmwareRevision()));
        sheet.row("Recommended Arb Burst:", IdentifyController.RAB.get(page, 0));
        byte[] oui = new byte[3];
        IdentifyController.IEEE.get(page, 0, oui);
        sheet.row("IEEE OUI Identifier:", "%02x %02x %02x", oui[0], oui[1], oui[2]);
        int cmic = IdentifyController.CMIC.get(page, 0);
        sheet.row("Multi-path I/O");
        sheet.yes("  May have multiple subsystem ports:", (cmic & ControllerBits.CMIC_MULTIPLE_PORTS) != 0);
        sheet.yes("  May have multiple controllers:", (cmic & ControllerBits.CMIC_MULTIPLE_CONTROLLERS) != 0);
        sheet.yes("  Associated with SR-IOV VF:", (cmic & ControllerBits.CMIC_SR_IOV) != 0);
        long most = findings.data().maxTransferBytes();
        sheet.row("Max Data Transfer Size:", most == Integer.MAX_VALUE ? "Unlimited" : Long.toString(most));
        sheet.row("Max Number of Namespaces:", findings.data().namespaces());
        sheet.row("Max Number of I/O Queues:", findings.controller().discovery()
                ? findings.controller().options().queues().ioQueues()
                : findings.controller().ioQueueCount());
    }

    /// What is no printable ASCII as a full stop.
    static String printable(String text) {
        return text.replaceAll("[^ -~]", ".");
    }

    private void registers() {
        sheet.row("NVMe Specification Version (VS):", Version.text(findings.data().vs()));
        int version = (int) IdentifyController.VER.get(page, 0);
        if (version != 0) {
            sheet.row("NVMe Specification Version (Identify):", Version.text(version));
        }
        sheet.row("Maximum Queue Entries:", Cap.mqes(cap) + 1L);
        sheet.yes("Contiguous Queues Required:", (cap & Cap.CQR) != 0);
        sheet.row("Arbitration Mechanisms Supported");
        sheet.supported("  Weighted Round Robin:", (cap & Cap.AMS_WEIGHTED_ROUND_ROBIN) != 0);
        sheet.supported("  Vendor Specific:", (cap & Cap.AMS_VENDOR_SPECIFIC) != 0);
        sheet.row("Reset Timeout:", "%d ms", HALF_SECOND * Cap.to(cap));
        sheet.row("Doorbell Stride:", "%d bytes", 4L << Cap.dstrd(cap));
        sheet.supported("NVM Subsystem Reset:", (cap & Cap.NSSRS) != 0);
        sheet.row("Command Sets Supported");
        sheet.supported("  NVM Command Set:", (cap & Cap.CSS_NVM) != 0);
        sheet.supported("Boot Partition:", (cap & Cap.BPS) != 0);
        sheet.row("Memory Page Size Minimum:", "%d bytes", (long) PAGE << Cap.mpsmin(cap));
        sheet.row("Memory Page Size Maximum:", "%d bytes", (long) PAGE << Cap.mpsmax(cap));
        sheet.supported("Persistent Memory Region:", (cap & Cap.PMRS) != 0);
    }

    private void events() {
        sheet.row("Optional Asynchronous Events Supported");
        event("  Namespace Attribute Notices:", ControllerBits.OAES_NAMESPACE_ATTRIBUTE);
        event("  Firmware Activation Notices:", ControllerBits.OAES_FIRMWARE_ACTIVATION);
        event("  ANA Change Notices:", ControllerBits.OAES_ANA_CHANGE);
        event("  PLE Aggregate Log Change Notices:", ControllerBits.OAES_PREDICTABLE_LATENCY);
        event("  LBA Status Info Alert Notices:", ControllerBits.OAES_LBA_STATUS);
        event("  EGE Aggregate Log Change Notices:", ControllerBits.OAES_ENDURANCE_GROUP);
        event("  Normal NVM Subsystem Shutdown event:", ControllerBits.OAES_SUBSYSTEM_SHUTDOWN);
        event("  Zone Descriptor Change Notices:", ControllerBits.OAES_ZONE_DESCRIPTOR);
        event("  Discovery Log Change Notices:", ControllerBits.OAES_DISCOVERY_LOG_CHANGE);
    }

    private void event(String label, int bit) {
        sheet.supported(label, findings.data().oaes(bit));
    }

    private void attributes() {
        sheet.row("Controller Attributes");
        attribute("  128-bit Host Identifier:", ControllerBits.CTRATT_HOST_ID_128);
        attribute("  Non-Operational Permissive Mode:", ControllerBits.CTRATT_NON_OPERATIONAL_PERMISSIVE);
        attribute("  NVM Sets:", ControllerBits.CTRATT_NVM_SETS);
        attribute("  Read Recovery Levels:", ControllerBits.CTRATT_READ_RECOVERY_LEVELS);
        attribute("  Endurance Groups:", ControllerBits.CTRATT_ENDURANCE_GROUPS);
        attribute("  Predictable Latency Mode:", ControllerBits.CTRATT_PREDICTABLE_LATENCY);
        attribute("  Traffic Based Keep ALive:", ControllerBits.CTRATT_TRAFFIC_BASED_KEEP_ALIVE);
        attribute("  Namespace Granularity:", ControllerBits.CTRATT_NAMESPACE_GRANULARITY);
        attribute("  SQ Associations:", ControllerBits.CTRATT_SQ_ASSOCIATIONS);
        attribute("  UUID List:", ControllerBits.CTRATT_UUID_LIST);
        attribute("  Multi-Domain Subsystem:", ControllerBits.CTRATT_MULTI_DOMAIN);
        attribute("  Fixed Capacity Management:", ControllerBits.CTRATT_FIXED_CAPACITY);
        attribute("  Variable Capacity Management:", ControllerBits.CTRATT_VARIABLE_CAPACITY);
        attribute("  Delete Endurance Group:", ControllerBits.CTRATT_DELETE_ENDURANCE_GROUP);
        attribute("  Delete NVM Set:", ControllerBits.CTRATT_DELETE_NVM_SET);
        attribute("  Extended LBA Formats Supported:", ControllerBits.CTRATT_EXTENDED_LBA_FORMATS);
        attribute("  Flexible Data Placement Supported:", ControllerBits.CTRATT_FLEXIBLE_DATA_PLACEMENT);
    }

    private void attribute(String label, int bit) {
        sheet.supported(label, (IdentifyController.CTRATT.get(page, 0) & bit) != 0);
    }

    private void memories() {
        sheet.title("Controller Memory Buffer Support", WIDTH);
        boolean buffer = (cap & Cap.CMBS) != 0 && !findings.controller().transport().fabrics();
        sheet.yes("Supported:", buffer);
        if (buffer) {
            memoryBuffer((int) findings.controller().transport().property(ControllerProperty.CMBSZ, 4));
        }
        sheet.gap();
        sheet.title("Persistent Memory Region Support", WIDTH);
        sheet.yes("Supported:", (cap & Cap.PMRS) != 0);
        sheet.gap();
    }

    /// Controller Memory Buffer Size (base specification 2.0, 3.1.3.12): units in bits 11:8, size in bits 31:12.
    private void memoryBuffer(int cmbsz) {
        sheet.row("Total Size:", "%d bytes", (long) (cmbsz >>> 12) * ((long) PAGE << 4 * (cmbsz >>> 8 & 0xf)));
        sheet.supported("Submission Queues in CMB:", (cmbsz & 1) != 0);
        sheet.supported("Completion Queues in CMB:", (cmbsz & 1 << 1) != 0);
        sheet.supported("Read data and metadata in CMB", (cmbsz & 1 << 3) != 0);
        sheet.supported("Write data and metadata in CMB:", (cmbsz & 1 << 4) != 0);
    }
}
