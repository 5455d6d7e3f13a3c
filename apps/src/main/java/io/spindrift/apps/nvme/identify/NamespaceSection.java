package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spec.Csi;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceNvm;
import io.spindrift.nvme.spec.identify.LbaFormat;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// What a controller says of one of its namespaces.
final class NamespaceSection {
    private static final int WIDTH = 39;
    private static final int MILLIS_PER_TLER = 100;
    private static final long GIB = 1L << 30;

    private final Sheet sheet;
    private final Findings findings;
    private final NvmeNamespace namespace;
    private final MemorySegment page;

    private NamespaceSection(Sheet sheet, Findings findings, NvmeNamespace namespace) {
        this.sheet = sheet;
        this.findings = findings;
        this.namespace = namespace;
        this.page = namespace.page();
    }

    static void writeAll(Sheet sheet, Findings findings) {
        sheet.title("Active Namespaces", WIDTH);
        for (NvmeNamespace namespace : findings.controller().namespaces()) {
            new NamespaceSection(sheet, findings, namespace).write();
        }
    }

    private void write() {
        sheet.row("Namespace ID:" + namespace.nsid());
        sheet.dump(page);
        findings.errorRecovery(namespace).ifPresent(value -> {
            long tler = value & 0xffff;
            sheet.row("Error Recovery Timeout:", tler == 0 ? "Unlimited" : tler * MILLIS_PER_TLER + " milliseconds");
        });
        sheet.row("Command Set Identifier:", "%s (%02Xh)", commandSet(namespace.csi()), namespace.csi());
        deallocation();
        sheet.supported("Flush:", findings.data().volatileWriteCache());
        sheet.supported("Reservation:", IdentifyNamespace.RESCAP.get(page, 0) != 0);
        metadata();
        sheet.row("Namespace Sharing Capabilities:", namespace.shared() ? "Multiple Controllers" : "Private");
        sizes();
        identifiers();
        features();
        formats();
        sheet.gap();
        findings.nvmNamespace(namespace).ifPresent(this::storageTags);
    }

    private static String commandSet(int csi) {
        return switch (csi) {
            case Csi.NVM -> "NVM";
            case Csi.KEY_VALUE -> "KV";
            case Csi.ZONED -> "ZNS";
            default -> csi >= 0x30 && csi <= 0x3f ? "Vendor specific" : "Unknown";
        };
    }

    private boolean feature(int bit) {
        return (IdentifyNamespace.NSFEAT.get(page, 0) & bit) != 0;
    }

    private void deallocation() {
        int dlfeat = IdentifyNamespace.DLFEAT.get(page, 0);
        sheet.supported("Deallocate:", findings.data().oncs(ControllerBits.ONCS_DATASET_MANAGEMENT));
        sheet.supported("Deallocated/Unwritten Error:", feature(IdentifyNamespace.NSFEAT_DEALLOCATED_ERROR));
        sheet.row("Deallocated Read Value:", switch (dlfeat & 7) {
            case IdentifyNamespace.DLFEAT_READS_ZEROES -> "All 0x00";
            case IdentifyNamespace.DLFEAT_READS_ONES -> "All 0xFF";
            default -> "Unknown";
        });
        sheet.supported("Deallocate in Write Zeroes:",
                (dlfeat & IdentifyNamespace.DLFEAT_WRITE_ZEROES_DEALLOCATE) != 0);
        sheet.row("Deallocated Guard Field:",
                (dlfeat & IdentifyNamespace.DLFEAT_GUARD_CRC) != 0 ? "CRC for Read Value" : "0xFFFF");
    }

    private void metadata() {
        NvmeNamespace.Format format = namespace.format();
        if (format.metadataSize() > 0 && format.protection() > 0) {
            sheet.row("End-to-End Data Protection:", "Supported");
            sheet.row("Protection Type:", "Type" + format.protection());
            sheet.row("Protection Information Transferred as:",
                    format.piFirst() ? "First 8/16 Bytes" : "Last 8/16 Bytes");
        }
        if (format.metadataSize() > 0) {
            sheet.row("Metadata Transferred as:",
                    format.extended() ? "Extended Data LBA" : "Separate Metadata Buffer");
        }
    }

    private void sizes() {
        size("Size (in LBAs):", IdentifyNamespace.NSZE.get(page, 0));
        size("Capacity (in LBAs):", IdentifyNamespace.NCAP.get(page, 0));
        size("Utilization (in LBAs):", IdentifyNamespace.NUSE.get(page, 0));
        int boundary = IdentifyNamespace.NOIOB.get(page, 0);
        if (boundary != 0) {
            sheet.row("Optimal I/O Boundary:", "%d blocks", boundary);
        }
    }

    private void size(String label, long blocks) {
        sheet.row(label, "%d (%dGiB)", blocks, blocks * namespace.format().dataSize() / GIB);
    }

    private void identifiers() {
        HexFormat hex = HexFormat.of().withUpperCase();
        if (!IdentifyNamespace.NGUID.isZero(page, 0)) {
            byte[] nguid = new byte[IdentifyNamespace.NGUID.size()];
            IdentifyNamespace.NGUID.get(page, 0, nguid);
            sheet.row("NGUID:", hex.formatHex(nguid));
        }
        if (!IdentifyNamespace.EUI64.isZero(page, 0)) {
            byte[] eui64 = new byte[IdentifyNamespace.EUI64.size()];
            IdentifyNamespace.EUI64.get(page, 0, eui64);
            sheet.row("EUI64:", hex.formatHex(eui64));
        }
        namespace.ids().uuid().ifPresent(uuid -> sheet.row("UUID:", uuid.toString()));
    }

    private void features() {
        sheet.supported("Thin Provisioning:", feature(IdentifyNamespace.NSFEAT_THIN_PROVISIONING));
        boolean atomics = feature(IdentifyNamespace.NSFEAT_ATOMICS);
        sheet.yes("Per-NS Atomic Units:", atomics);
        if (atomics) {
            atomics();
        }
        if (findings.data().oncs(ControllerBits.ONCS_COPY)) {
            sheet.row("Maximum Single Source Range Length:", IdentifyNamespace.MSSRL.get(page, 0));
            sheet.row("Maximum Copy Length:", IdentifyNamespace.MCL.get(page, 0));
            sheet.row("Maximum Source Range Count:", IdentifyNamespace.MSRC.get(page, 0) + 1L);
        }
        sheet.yes("NGUID/EUI64 Never Reused:", feature(IdentifyNamespace.NSFEAT_IDS_NOT_REUSED));
        if (findings.data().reportsAna()) {
            sheet.row("ANA group ID:", namespace.anaGroup());
        }
        sheet.yes("Namespace Write Protected:", namespace.writeProtected());
        if (attribute(ControllerBits.CTRATT_NVM_SETS)) {
            sheet.row("NVM set ID:", IdentifyNamespace.NVMSETID.get(page, 0));
        }
        if (attribute(ControllerBits.CTRATT_ENDURANCE_GROUPS)) {
            sheet.row("Endurance group ID:", IdentifyNamespace.ENDGID.get(page, 0));
        }
    }

    private boolean attribute(int bit) {
        return (IdentifyController.CTRATT.get(findings.page(), 0) & bit) != 0;
    }

    private void atomics() {
        atomicUnit("  Atomic Write Unit (Normal):", IdentifyNamespace.NAWUN.get(page, 0));
        atomicUnit("  Atomic Write Unit (PFail):", IdentifyNamespace.NAWUPF.get(page, 0));
        atomicUnit("  Preferred Write Granularity:", IdentifyNamespace.NPWG.get(page, 0));
        atomicUnit("  Atomic Compare & Write Unit:", IdentifyNamespace.NACWU.get(page, 0));
        sheet.row("  Atomic Boundary Size (Normal):", IdentifyNamespace.NABSN.get(page, 0));
        sheet.row("  Atomic Boundary Size (PFail):", IdentifyNamespace.NABSPF.get(page, 0));
        sheet.row("  Atomic Boundary Offset:", IdentifyNamespace.NABO.get(page, 0));
    }

    /// 0's based; 0 says nothing.
    private void atomicUnit(String label, int unit) {
        if (unit != 0) {
            sheet.row(label, unit + 1L);
        }
    }

    private void formats() {
        int formats = Math.min(IdentifyNamespace.NLBAF.get(page, 0) + 1, IdentifyNamespace.LBAF.count());
        int current = IdentifyNamespace.formatIndex(IdentifyNamespace.FLBAS.get(page, 0), formats - 1);
        sheet.row("Number of LBA Formats:", formats);
        sheet.row("Current LBA Format:", "LBA Format #%02d", current);
        for (int i = 0; i < formats; i++) {
            long at = IdentifyNamespace.LBAF.at(0, i);
            sheet.row(String.format("LBA Format #%02d: Data Size: %5d  Metadata Size: %5d", i,
                    1 << LbaFormat.LBADS.get(page, at), LbaFormat.MS.get(page, at)));
        }
    }

    /// Identify Namespace of the NVM command set (NVM command set 1.0, 4.1.5.3).
    private void storageTags(MemorySegment nvm) {
        int pic = IdentifyNamespaceNvm.PIC.get(nvm, 0);
        sheet.title("NVM Specific Namespace Data", WIDTH);
        sheet.row("Logical Block Storage Tag Mask:               "
                + Long.toHexString(IdentifyNamespaceNvm.LBSTM.get(nvm, 0)));
        sheet.row("Protection Information Capabilities:");
        sheet.row("  16b Guard Protection Information Storage Tag Support:  " + ((pic & 1) != 0 ? "Yes" : "No"));
        sheet.row("  16b Guard Protection Information Storage Tag Mask:     "
                + ((pic & 2) != 0 ? "LBSTM must be all 1s" : "Any bit in LBSTM can be 0"));
        sheet.row("  Storage Tag Check Read Support:                        " + ((pic & 4) != 0 ? "Yes" : "No"));
        int formats = Math.min(IdentifyNamespace.NLBAF.get(page, 0) + 1, IdentifyNamespaceNvm.ELBAF.count());
        for (int i = 0; i < formats; i++) {
            int elbaf = LittleEndian.dword(nvm, IdentifyNamespaceNvm.ELBAF.at(0, i));
            sheet.row(String.format(
                    "Extended LBA Format #%02d: Storage Tag Size: %-2d, Protection Information Format: %s", i,
                    IdentifyNamespaceNvm.sts(elbaf), switch (IdentifyNamespaceNvm.pif(elbaf)) {
                        case IdentifyNamespaceNvm.PIF_16_BIT_GUARD -> "16b Guard PI";
                        case IdentifyNamespaceNvm.PIF_32_BIT_GUARD -> "32b Guard PI";
                        case IdentifyNamespaceNvm.PIF_64_BIT_GUARD -> "64b Guard PI";
                        default -> "Unknown";
                    }));
        }
    }
}
