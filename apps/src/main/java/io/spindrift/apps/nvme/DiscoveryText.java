package io.spindrift.apps.nvme;

import io.spindrift.nvme.AddressFamily;
import io.spindrift.nvme.DiscoveryPage;
import io.spindrift.nvme.DiscoveryRecord;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.Trtype;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// A discovery log as SPDK's programs print it, without the spaces at the ends of its lines.
public final class DiscoveryText {
    private static final int WIDTH = 39;

    private final StringBuilder text = new StringBuilder();
    private final boolean detailed;
    private final int headerWidth;

    private DiscoveryText(boolean detailed) {
        this.detailed = detailed;
        this.headerWidth = detailed ? WIDTH : 20;
    }

    /// The log, without its headline; all that a record says if `detailed`.
    public static String of(DiscoveryPage page, boolean detailed) {
        DiscoveryText text = new DiscoveryText(detailed);
        text.header("Generation Counter:", Long.toUnsignedString(page.generation()));
        text.header("Number of Records:", Integer.toString(page.records().size()));
        text.header("Record Format:", Integer.toString(page.format()));
        text.text.append('\n');
        for (int i = 0; i < page.records().size(); i++) {
            text.text.append("Discovery Log Entry ").append(i).append("\n----------------------\n");
            text.entry(page.records().get(i));
        }
        return text.text.toString();
    }

    private void header(String label, String value) {
        text.append(String.format(Locale.ROOT, "%-" + headerWidth + "s%s\n", label, value));
    }

    private void row(String label, String value, Object... values) {
        text.append(String.format(Locale.ROOT, "%-" + WIDTH + "s%s\n", label,
                String.format(Locale.ROOT, value, values)));
    }

    private void entry(DiscoveryRecord entry) {
        MemorySegment raw = entry.entry();
        row("Transport Type:", "%d (%s)", entry.trtype(), transport(entry.trtype()));
        int adrfam = DiscoveryEntry.ADRFAM.get(raw, 0);
        row("Address Family:", "%d (%s)", adrfam, AddressFamily.ofCode(adrfam).map(AddressFamily::text)
                .orElse("Unknown"));
        row("Subsystem Type:", "%d (%s)", entry.subtype(), switch (entry.subtype()) {
            case DiscoveryEntry.SUBTYPE_REFERRAL -> "Referral to a discovery service";
            case DiscoveryEntry.SUBTYPE_NVM -> "NVM Subsystem";
            case DiscoveryEntry.SUBTYPE_CURRENT_DISCOVERY -> "Current Discovery Subsystem";
            default -> "Unknown";
        });
        if (detailed) {
            requirements(raw);
        }
        row("Port ID:", "%1$d (0x%1$04x)", DiscoveryEntry.PORTID.get(raw, 0));
        row("Controller ID:", "%1$d (0x%1$04x)", DiscoveryEntry.CNTLID.get(raw, 0));
        if (detailed) {
            row("Admin Max SQ Size:", "%d", DiscoveryEntry.ASQSZ.get(raw, 0));
        }
        row("Transport Service Identifier:", "%s", entry.trsvcid());
        row("NVM Subsystem Qualified Name:", "%s", entry.subnqn());
        row("Transport Address:", "%s", entry.traddr());
        if (detailed && entry.trtype() == Trtype.RDMA) {
            rdma(raw);
        }
    }

    private static String transport(int trtype) {
        return switch (trtype) {
            case Trtype.RDMA -> "RDMA";
            case Trtype.FC -> "FC";
            case Trtype.TCP -> "TCP";
            case Trtype.INTRA_HOST -> "Intra_Host";
            default -> "Unknown";
        };
    }

    private void requirements(MemorySegment raw) {
        int flags = DiscoveryEntry.EFLAGS.get(raw, 0);
        text.append("Entry Flags:\n  Duplicate Returned Information:\t\t\t")
                .append(flags & DiscoveryEntry.EFLAGS_DUPLICATE)
                .append("\n  Explicit Persistent Connection Support for Discovery: ")
                .append((flags & DiscoveryEntry.EFLAGS_PERSISTENT_CONNECTIONS) != 0 ? 1 : 0)
                .append("\nTransport Requirements:\n");
        row("  Secure Channel:", switch (DiscoveryEntry.TREQ.get(raw, 0) & 3) {
            case DiscoveryEntry.TREQ_SECURE_CHANNEL_NOT_SPECIFIED -> "Not Specified";
            case DiscoveryEntry.TREQ_SECURE_CHANNEL_REQUIRED -> "Required";
            case DiscoveryEntry.TREQ_SECURE_CHANNEL_NOT_REQUIRED -> "Not Required";
            default -> "Reserved";
        });
    }

    private void rdma(MemorySegment raw) {
        text.append("Transport Specific Address Subtype - RDMA\n");
        int qptype = DiscoveryEntry.TSAS_RDMA_QPTYPE.get(raw, 0);
        row("  RDMA QP Service Type:", "%d (%s)", qptype, switch (qptype) {
            case 1 -> "Reliable Connected";
            case 2 -> "Reliable Datagram";
            default -> "Unknown";
        });
        int provider = DiscoveryEntry.TSAS_RDMA_PRTYPE.get(raw, 0);
        row("  RDMA Provider Type:", "%d (%s)", provider, switch (provider) {
            case 1 -> "No provider specified";
            case 2 -> "InfiniBand";
            case 3 -> "InfiniBand RoCE";
            case 4 -> "InfiniBand RoCE v2";
            case 5 -> "iWARP";
            default -> "Unknown";
        });
        int service = DiscoveryEntry.TSAS_RDMA_CMS.get(raw, 0);
        row("  RDMA CM Service:", "%d (%s)", service, service == 1 ? "RDMA_CM" : "Unknown");
    }
}
