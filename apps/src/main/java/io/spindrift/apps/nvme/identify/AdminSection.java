package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import java.lang.foreign.MemorySegment;

/// What a controller's admin commands can.
final class AdminSection {
    private static final int WIDTH = 39;
    private static final int ANA_LABEL = 36;
    private static final int NO_RESTRICTION = 0xff;
    private static final int KIB_PER_FWUG = 4;
    private static final int MILLIS_PER_KAS = 100;

    private final Sheet sheet;
    private final Findings findings;
    private final MemorySegment page;

    private AdminSection(Sheet sheet, Findings findings) {
        this.sheet = sheet;
        this.findings = findings;
        this.page = findings.page();
    }

    static void write(Sheet sheet, Findings findings) {
        AdminSection section = new AdminSection(sheet, findings);
        sheet.title("Admin Command Set Attributes", WIDTH);
        section.commands();
        section.firmware();
        section.ana();
        sheet.row("Subsystem NQN:", findings.data().subnqn());
        section.logPages();
        section.keepAlive();
        sheet.gap();
    }

    private void command(String label, int bit) {
        sheet.supported(label, findings.data().oacs(bit));
    }

    private void commands() {
        command("Security Send/Receive:", ControllerBits.OACS_SECURITY);
        command("Format NVM:", ControllerBits.OACS_FORMAT_NVM);
        command("Firmware Activate/Download:", ControllerBits.OACS_FIRMWARE);
        command("Namespace Management:", ControllerBits.OACS_NAMESPACE_MANAGEMENT);
        command("Device Self-Test:", ControllerBits.OACS_DEVICE_SELF_TEST);
        command("Directives:", ControllerBits.OACS_DIRECTIVES);
        command("NVMe-MI:", ControllerBits.OACS_NVME_MI);
        command("Virtualization Management:", ControllerBits.OACS_VIRTUALIZATION_MANAGEMENT);
        command("Doorbell Buffer Config:", ControllerBits.OACS_DOORBELL_BUFFER_CONFIG);
        command("Get LBA Status Capability:", ControllerBits.OACS_GET_LBA_STATUS);
        command("Command & Feature Lockdown Capability:", ControllerBits.OACS_LOCKDOWN);
        sheet.row("Abort Command Limit:", IdentifyController.ACL.get(page, 0) + 1L);
        sheet.row("Async Event Request Limit:", IdentifyController.AERL.get(page, 0) + 1L);
    }

    private void firmware() {
        int frmw = IdentifyController.FRMW.get(page, 0);
        boolean updates = findings.data().oacs(ControllerBits.OACS_FIRMWARE);
        sheet.row("Number of Firmware Slots:",
                updates ? Integer.toString(frmw >>> ControllerBits.FRMW_SLOTS_SHIFT & 7) : "N/A");
        updateBit("Firmware Slot 1 Read-Only:", updates, frmw & ControllerBits.FRMW_SLOT_1_READ_ONLY);
        updateBit("Firmware Activation Without Reset:", updates, frmw & ControllerBits.FRMW_NO_RESET);
        updateBit("Multiple Update Detection Support:", updates, frmw & ControllerBits.FRMW_MULTIPLE_UPDATE_DETECTION);
        int granularity = IdentifyController.FWUG.get(page, 0);
        sheet.row("Firmware Update Granularity:", switch (granularity) {
            case 0 -> "No Information Provided";
            case NO_RESTRICTION -> "No Restriction";
            default -> granularity * KIB_PER_FWUG + " KiB";
        });
    }

    private void updateBit(String label, boolean updates, int value) {
        sheet.row(label, !updates ? "N/A" : value != 0 ? "Yes" : "No");
    }

    private void ana() {
        sheet.yes("Per-Namespace SMART Log:", lpa(ControllerBits.LPA_SMART_PER_NAMESPACE));
        sheet.supported("Asymmetric Namespace Access Log Page:", findings.data().reportsAna());
        if (!findings.data().reportsAna()) {
            return;
        }
        sheet.aligned("ANA Transition Time", ANA_LABEL, " " + IdentifyController.ANATT.get(page, 0) + " sec");
        sheet.gap();
        sheet.row("Asymmetric Namespace Access Capabilities");
        anaBit("  ANA Optimized State", ControllerBits.ANACAP_OPTIMIZED, "Supported", "Not Supported");
        anaBit("  ANA Non-Optimized State", ControllerBits.ANACAP_NON_OPTIMIZED, "Supported", "Not Supported");
        anaBit("  ANA Inaccessible State", ControllerBits.ANACAP_INACCESSIBLE, "Supported", "Not Supported");
        anaBit("  ANA Persistent Loss State", ControllerBits.ANACAP_PERSISTENT_LOSS, "Supported", "Not Supported");
        anaBit("  ANA Change State", ControllerBits.ANACAP_CHANGE, "Supported", "Not Supported");
        anaBit("  ANAGRPID is not changed", ControllerBits.ANACAP_FIXED_ANAGRPID, "Yes", "No");
        anaBit("  Non-Zero ANAGRPID for NS Mgmt Cmd", ControllerBits.ANACAP_NON_ZERO_ANAGRPID, "Supported",
                "Not Supported");
        sheet.gap();
        sheet.aligned("ANA Group Identifier Maximum", ANA_LABEL, IdentifyController.ANAGRPMAX.get(page, 0));
        sheet.aligned("Number of ANA Group Identifiers", ANA_LABEL, IdentifyController.NANAGRPID.get(page, 0));
        sheet.aligned("Max Number of Allowed Namespaces", ANA_LABEL, IdentifyController.MNAN.get(page, 0));
    }

    private void anaBit(String label, int bit, String set, String clear) {
        sheet.aligned(label, ANA_LABEL, (IdentifyController.ANACAP.get(page, 0) & bit) != 0 ? set : clear);
    }

    private boolean lpa(int bit) {
        return (IdentifyController.LPA.get(page, 0) & bit) != 0;
    }

    private void logPages() {
        sheet.supported("Command Effects Log Page:", lpa(ControllerBits.LPA_COMMANDS_SUPPORTED_AND_EFFECTS));
        sheet.supported("Get Log Page Extended Data:", lpa(ControllerBits.LPA_EXTENDED_DATA));
        sheet.supported("Telemetry Log Pages:", lpa(ControllerBits.LPA_TELEMETRY));
        sheet.supported("Persistent Event Log Pages:", lpa(ControllerBits.LPA_PERSISTENT_EVENT));
        boolean listed = lpa(ControllerBits.LPA_SUPPORTED_LOG_PAGES);
        String maySupport = listed ? "Supported" : "May Support";
        sheet.row("Supported Log Pages Log Page:", maySupport);
        sheet.supported("Commands Supported & Effects Log Page:", listed);
        sheet.row("Feature Identifiers & Effects Log Page:", maySupport);
        sheet.row("NVMe-MI Commands & Effects Log Page:", maySupport);
        sheet.supported("Data Area 4 for Telemetry Log:", lpa(ControllerBits.LPA_TELEMETRY_AREA_4));
        sheet.row("Error Log Page Entries Supported:", IdentifyController.ELPE.get(page, 0) + 1L);
    }

    private void keepAlive() {
        int granularity = IdentifyController.KAS.get(page, 0);
        sheet.supported("Keep Alive:", granularity != 0);
        if (granularity != 0) {
            sheet.row("Keep Alive Granularity:", "%d ms", granularity * MILLIS_PER_KAS);
        }
    }
}
