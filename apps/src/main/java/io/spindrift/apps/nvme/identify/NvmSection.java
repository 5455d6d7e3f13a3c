package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import java.lang.foreign.MemorySegment;

/// What a controller's I/O commands can.
final class NvmSection {
    private static final int WIDTH = 29;
    private static final int MILLIS_PER_CRDT = 100;

    private final Sheet sheet;
    private final Findings findings;
    private final MemorySegment page;

    private NvmSection(Sheet sheet, Findings findings) {
        this.sheet = sheet;
        this.findings = findings;
        this.page = findings.page();
    }

    static void write(Sheet sheet, Findings findings) {
        NvmSection section = new NvmSection(sheet, findings);
        sheet.title("NVM Command Set Attributes", WIDTH);
        section.entrySize("Submission", IdentifyController.SQES.get(section.page, 0));
        section.entrySize("Completion", IdentifyController.CQES.get(section.page, 0));
        section.commands();
        section.sgl();
        section.protectedMemory();
        section.retryDelay(1, IdentifyController.CRDT1.get(section.page, 0));
        section.retryDelay(2, IdentifyController.CRDT2.get(section.page, 0));
        section.retryDelay(3, IdentifyController.CRDT3.get(section.page, 0));
        sheet.gap();
    }

    private void entrySize(String queue, int sizes) {
        sheet.row(queue + " Queue Entry Size");
        sheet.row("  Max:", 1L << (sizes >>> 4));
        sheet.row("  Min:", 1L << (sizes & 0xf));
    }

    private void command(String label, int bit) {
        sheet.supported(label, findings.data().oncs(bit));
    }

    private void commands() {
        sheet.row("Number of Namespaces:", findings.data().namespaces());
        command("Compare Command:", ControllerBits.ONCS_COMPARE);
        command("Write Uncorrectable Command:", ControllerBits.ONCS_WRITE_UNCORRECTABLE);
        command("Dataset Management Command:", ControllerBits.ONCS_DATASET_MANAGEMENT);
        command("Write Zeroes Command:", ControllerBits.ONCS_WRITE_ZEROES);
        command("Set Features Save Field:", ControllerBits.ONCS_SAVE_AND_SELECT);
        command("Reservations:", ControllerBits.ONCS_RESERVATIONS);
        command("Timestamp:", ControllerBits.ONCS_TIMESTAMP);
        command("Copy:", ControllerBits.ONCS_COPY);
        sheet.row("Volatile Write Cache:", findings.data().volatileWriteCache() ? "Present" : "Not Present");
        sheet.row("Atomic Write Unit (Normal):", IdentifyController.AWUN.get(page, 0) + 1L);
        sheet.row("Atomic Write Unit (PFail):", IdentifyController.AWUPF.get(page, 0) + 1L);
        sheet.row("Atomic Compare & Write Unit:", IdentifyController.ACWU.get(page, 0) + 1L);
        sheet.supported("Fused Compare & Write:",
                (IdentifyController.FUSES.get(page, 0) & ControllerBits.FUSES_COMPARE_AND_WRITE) != 0);
    }

    private void sgl() {
        int sgls = (int) IdentifyController.SGLS.get(page, 0);
        sheet.row("Scatter-Gather List");
        sheet.row("  SGL Command Set:", switch (sgls & 3) {
            case ControllerBits.SGLS_SUPPORTED -> "Supported";
            case ControllerBits.SGLS_DWORD_ALIGNED -> "Supported (Dword aligned)";
            default -> "Not Supported";
        });
        sheet.supported("  SGL Keyed:", (sgls & ControllerBits.SGLS_KEYED) != 0);
        sheet.supported("  SGL Bit Bucket Descriptor:", (sgls & ControllerBits.SGLS_BIT_BUCKET) != 0);
        sheet.supported("  SGL Metadata Pointer:", (sgls & ControllerBits.SGLS_MPTR_CONTIGUOUS) != 0);
        sheet.supported("  Oversized SGL:", (sgls & ControllerBits.SGLS_OVERSIZED) != 0);
        sheet.supported("  SGL Metadata Address:", (sgls & ControllerBits.SGLS_MPTR_SGL) != 0);
        sheet.supported("  SGL Offset:", (sgls & ControllerBits.SGLS_OFFSET) != 0);
        sheet.supported("  Transport SGL Data Block:", (sgls & ControllerBits.SGLS_TRANSPORT) != 0);
    }

    /// Replay Protected Memory Block Support: units in bits 2:0, authentication 5:3, total size 23:16, access size 31:24.
    private void protectedMemory() {
        int rpmbs = (int) IdentifyController.RPMBS.get(page, 0);
        int units = rpmbs & 7;
        sheet.row("Replay Protected Memory Block:" + (units > 0 ? "  Supported" : "  Not Supported"));
        if (units > 0) {
            sheet.row("  Number of RPMB Units:  " + units);
            sheet.row("  Authentication Method: " + ((rpmbs >>> 3 & 7) == 0 ? "HMAC SHA-256" : "Unknown"));
            sheet.row("  Total Size (in 128KB units) = " + ((rpmbs >>> 16 & 0xff) + 1));
            sheet.row("  Access Size (in 512B units) = " + ((rpmbs >>> 24) + 1));
        }
    }

    private void retryDelay(int number, int delay) {
        if (delay > 0) {
            sheet.row("Command Retry Delay Time " + number + ":", "%d milliseconds", delay * MILLIS_PER_CRDT);
        }
    }
}
