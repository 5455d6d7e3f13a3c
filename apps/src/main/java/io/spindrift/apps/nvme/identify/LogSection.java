package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Field;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.CommandEffectsLog;
import io.spindrift.nvme.spec.log.ErrorLogEntry;
import io.spindrift.nvme.spec.log.FirmwareSlotLog;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntFunction;

/// Firmware slots, ANA groups, effects of commands and errors: what log pages say.
final class LogSection {
    private static final int FIRMWARE_WIDTH = 29;
    private static final int ANA_LABEL = 32;
    private static final int ERROR_WIDTH = 24;
    private static final List<Field.Ascii> REVISIONS = List.of(FirmwareSlotLog.FRS1,
            FirmwareSlotLog.FRS2, FirmwareSlotLog.FRS3, FirmwareSlotLog.FRS4, FirmwareSlotLog.FRS5,
            FirmwareSlotLog.FRS6, FirmwareSlotLog.FRS7);

    private final Sheet sheet;

    private LogSection(Sheet sheet) {
        this.sheet = sheet;
    }

    static void write(Sheet sheet, Findings findings) {
        LogSection section = new LogSection(sheet);
        section.firmware(findings.log(Lid.FIRMWARE_SLOT)
                .orElseGet(() -> MemorySegment.ofArray(new byte[FirmwareSlotLog.SIZE])));
        findings.log(Lid.ANA).ifPresent(section::ana);
        sheet.gap();
        findings.log(Lid.COMMANDS_SUPPORTED_AND_EFFECTS).ifPresent(section::effects);
        sheet.title("Error Log", ERROR_WIDTH);
        findings.log(Lid.ERROR_INFORMATION).ifPresent(section::errors);
        sheet.gap();
    }

    private void firmware(MemorySegment log) {
        sheet.title("Firmware Slot Information", FIRMWARE_WIDTH);
        sheet.dump(log);
        int afi = FirmwareSlotLog.AFI.get(log, 0);
        sheet.row("Active slot:", afi & 7);
        if ((afi >>> 4 & 7) != 0) {
            sheet.row("Next controller reset slot:", afi >>> 4 & 7);
        }
        for (int i = 0; i < REVISIONS.size(); i++) {
            String revision = REVISIONS.get(i).get(log, 0);
            if (!revision.isEmpty()) {
                sheet.row("Slot " + (i + 1) + " Firmware Revision:", CapabilitySection.printable(revision));
            }
        }
        sheet.gap();
    }

    /// What a controller says of lengths counts as far as the page reaches.
    private void ana(MemorySegment log) {
        sheet.title("Asymmetric Namespace Access", ANA_LABEL);
        sheet.dump(log);
        int groups = AnaLog.GROUPS.get(log, 0);
        sheet.aligned("Change Count", ANA_LABEL, Long.toHexString(AnaLog.CHANGE_COUNT.get(log, 0)));
        sheet.aligned("Number of ANA Group Descriptors", ANA_LABEL, groups);
        long at = AnaLog.SIZE;
        for (int i = 0; i < groups && at + AnaGroupDescriptor.SIZE <= log.byteSize(); i++) {
            long nsids = AnaGroupDescriptor.NSIDS.get(log, at);
            sheet.aligned("ANA Group Descriptor", ANA_LABEL, i);
            sheet.aligned("  ANA Group ID", ANA_LABEL, AnaGroupDescriptor.GROUP_ID.get(log, at));
            sheet.aligned("  Number of NSID Values", ANA_LABEL, nsids);
            sheet.aligned("  Change Count", ANA_LABEL,
                    Long.toHexString(AnaGroupDescriptor.CHANGE_COUNT.get(log, at)));
            sheet.aligned("  ANA State", ANA_LABEL, AnaGroupDescriptor.STATE.get(log, at) & 0xf);
            for (long n = 0; n < nsids && AnaGroupDescriptor.nsidAt(at, n) + 4 <= log.byteSize(); n++) {
                sheet.aligned("  Namespace Identifier", ANA_LABEL,
                        LittleEndian.u32(log, AnaGroupDescriptor.nsidAt(at, n)));
            }
            at += AnaGroupDescriptor.size(nsids);
        }
    }

    private void effects(MemorySegment log) {
        sheet.title("Commands Supported and Effects", 0);
        sheet.dump(log);
        sheet.title("Admin Commands", '-', 0);
        effects(log, CommandEffectsLog.ACS, AdminOpcode::name);
        sheet.title("I/O Commands", '-', 0);
        effects(log, CommandEffectsLog.IOCS, NvmOpcode::name);
        sheet.gap();
    }

    private void effects(MemorySegment log, Field.Array commands, IntFunction<String> names) {
        for (int opcode = 0; opcode < commands.count(); opcode++) {
            int effects = LittleEndian.dword(log, commands.at(0, opcode));
            if ((effects & CommandEffectsLog.CSUPP) != 0) {
                sheet.row(String.format("%30s (%02Xh): Supported %s%s%s%s%s", names.apply(opcode), opcode,
                        (effects & CommandEffectsLog.LBCC) != 0 ? "LBA-Change " : "",
                        (effects & CommandEffectsLog.NCC) != 0 ? "NS-Cap-Change " : "",
                        (effects & CommandEffectsLog.NIC) != 0 ? "NS-Inventory-Change " : "",
                        (effects & CommandEffectsLog.CCC) != 0 ? "Ctrlr-Cap-Change " : "",
                        switch (effects & CommandEffectsLog.CSE_MASK) {
                            case CommandEffectsLog.CSE_NAMESPACE -> "Per-NS-Exclusive";
                            case CommandEffectsLog.CSE_ALL -> "All-NS-Exclusive";
                            default -> "";
                        }));
            }
        }
    }

    private void errors(MemorySegment log) {
        for (int i = 0; (long) (i + 1) * ErrorLogEntry.SIZE <= log.byteSize(); i++) {
            long at = (long) i * ErrorLogEntry.SIZE;
            long count = ErrorLogEntry.ERROR_COUNT.get(log, at);
            if (count != 0) {
                if (i != 0) {
                    sheet.row("-----------");
                }
                sheet.row("Entry: " + i);
                error(log, at, count);
            }
        }
    }

    private void error(MemorySegment log, long at, long count) {
        int status = ErrorLogEntry.STATUS.get(log, at);
        int field = status >>> 1;
        sheet.row("Error Count:", "0x%x", count);
        sheet.row("Submission Queue Id:", "0x%x", ErrorLogEntry.SQID.get(log, at));
        sheet.row("Command Id:", "0x%x", ErrorLogEntry.CID.get(log, at));
        sheet.row("Phase Bit:", status & 1);
        sheet.row("Status Code:", "0x%x", Status.sc(field));
        sheet.row("Status Code Type:", "0x%x", Status.sct(field));
        sheet.row("Do Not Retry:", (field & Status.DNR) != 0 ? 1 : 0);
        sheet.row("Error Location:", "0x%x", ErrorLogEntry.PARAMETER_ERROR_LOCATION.get(log, at));
        sheet.row("LBA:", "0x%x", ErrorLogEntry.LBA.get(log, at));
        sheet.row("Namespace:", "0x%x", ErrorLogEntry.NSID.get(log, at));
        sheet.row("Vendor Log Page:", "0x%x", ErrorLogEntry.VENDOR_SPECIFIC.get(log, at));
    }
}
