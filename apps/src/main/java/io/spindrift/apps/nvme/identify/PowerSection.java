package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.PowerStateDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// The power states of a controller, and in which it is.
final class PowerSection {
    private static final int WIDTH = 33;
    private static final int MAX_POWER_STATES = 32;
    /// MXPS: maximum power in 0.0001 W.
    private static final int SCALE_FINE = 1;
    private static final int NON_OPERATIONAL = 1 << 1;

    private PowerSection() {}

    /// `feature` is the value of the feature Power Management.
    static void write(Sheet sheet, Findings findings, long feature) {
        MemorySegment page = findings.page();
        int states = Math.min(IdentifyController.NPSS.get(page, 0) + 1, MAX_POWER_STATES);
        sheet.title("Power Management", WIDTH);
        sheet.row("Number of Power States:", states);
        sheet.row("Current Power State:", "Power State #" + (feature & 0x1f));
        for (int i = 0; i < states; i++) {
            sheet.row("Power State #" + i + ":");
            state(sheet, page, IdentifyController.PSD.at(0, i));
        }
        sheet.supported("Non-Operational Permissive Mode:", (IdentifyController.CTRATT.get(page, 0)
                & ControllerBits.CTRATT_NON_OPERATIONAL_PERMISSIVE) != 0);
        sheet.gap();
    }

    private static void state(Sheet sheet, MemorySegment page, long at) {
        int flags = PowerStateDescriptor.FLAGS.get(page, at);
        int power = PowerStateDescriptor.MP.get(page, at);
        sheet.row("  Max Power:                    " + ((flags & SCALE_FINE) != 0
                ? watts(power, 10_000)
                : String.format(Locale.ROOT, "%3d.%02d W", power / 100, power % 100)));
        sheet.row("  Non-Operational State:", (flags & NON_OPERATIONAL) != 0 ? "Non-Operation" : "Operational");
        latency(sheet, "  Entry Latency:", PowerStateDescriptor.ENLAT.get(page, at));
        latency(sheet, "  Exit Latency:", PowerStateDescriptor.EXLAT.get(page, at));
        sheet.row("  Relative Read Throughput:", PowerStateDescriptor.RRT.get(page, at));
        sheet.row("  Relative Read Latency:", PowerStateDescriptor.RRL.get(page, at));
        sheet.row("  Relative Write Throughput:", PowerStateDescriptor.RWT.get(page, at));
        sheet.row("  Relative Write Latency:", PowerStateDescriptor.RWL.get(page, at));
        power(sheet, "  Idle Power:", PowerStateDescriptor.IDLP.get(page, at),
                PowerStateDescriptor.IPS.get(page, at) >>> 6);
        power(sheet, "  Active Power:", PowerStateDescriptor.ACTP.get(page, at),
                PowerStateDescriptor.APWS.get(page, at) >>> 6);
    }

    private static void latency(Sheet sheet, String label, long micros) {
        sheet.row(label, micros == 0 ? "Not Reported" : micros + " microseconds");
    }

    private static void power(Sheet sheet, String label, int power, int scale) {
        sheet.row(label, switch (scale) {
            case 1 -> watts(power, 10_000);
            case 2 -> watts(power, 100);
            default -> " Not Reported";
        });
    }

    private static String watts(int power, int unit) {
        return String.format(Locale.ROOT, unit == 100 ? "%d.%02d W" : "%d.%04d W", power / unit, power % unit);
    }
}
