package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Field.U128;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.log.SmartLog;
import java.lang.foreign.MemorySegment;

/// How a controller is and is set: arbitration, power, health, queues, temperatures.
final class HealthSection {
    private static final int WIDTH = 29;
    private static final int QUEUE_WIDTH = 38;
    private static final int NO_LIMIT = 7;

    private final Sheet sheet;
    private final Findings findings;

    private HealthSection(Sheet sheet, Findings findings) {
        this.sheet = sheet;
        this.findings = findings;
    }

    static void write(Sheet sheet, Findings findings) {
        HealthSection section = new HealthSection(sheet, findings);
        findings.feature(Fid.ARBITRATION).ifPresent(section::arbitration);
        findings.feature(Fid.POWER_MANAGEMENT).ifPresent(value -> PowerSection.write(sheet, findings, value));
        findings.feature(Fid.TEMPERATURE_THRESHOLD).ifPresent(section::health);
        findings.feature(Fid.NUMBER_OF_QUEUES).ifPresent(section::queues);
        section.thermalManagement();
    }

    /// Arbitration (base specification 2.0, 5.27.1.1): burst 2^n in bits 2:0, weights in the other bytes, 0's based.
    private void arbitration(long value) {
        sheet.title("Arbitration", WIDTH);
        long burst = value & 7;
        sheet.row("Arbitration Burst:", burst == NO_LIMIT ? "no limit" : Long.toString(1L << burst));
        if ((findings.data().cap() & Cap.AMS_WEIGHTED_ROUND_ROBIN) != 0) {
            sheet.row("Low Priority Weight:", (value >>> 8 & 0xff) + 1);
            sheet.row("Medium Priority Weight:", (value >>> 16 & 0xff) + 1);
            sheet.row("High Priority Weight:", (value >>> 24 & 0xff) + 1);
        }
        sheet.gap();
    }

    private void health(long threshold) {
        MemorySegment log = findings.log(Lid.SMART).orElseGet(() -> MemorySegment.ofArray(new byte[SmartLog.SIZE]));
        sheet.title("Health Information", WIDTH);
        sheet.dump(log);
        int warnings = SmartLog.CRITICAL_WARNING.get(log, 0);
        sheet.row("Critical Warnings:");
        warning("  Available Spare Space:", warnings & SmartLog.WARNING_AVAILABLE_SPARE);
        warning("  Temperature:", warnings & SmartLog.WARNING_TEMPERATURE);
        warning("  Device Reliability:", warnings & SmartLog.WARNING_RELIABILITY);
        sheet.yes("  Read Only:", (warnings & SmartLog.WARNING_READ_ONLY) != 0);
        warning("  Volatile Memory Backup:", warnings & SmartLog.WARNING_VOLATILE_BACKUP);
        sheet.row("Current Temperature:", Sheet.temperature(SmartLog.COMPOSITE_TEMPERATURE.get(log, 0)));
        sheet.row("Temperature Threshold:", Sheet.temperature(threshold));
        sheet.row("Available Spare:", SmartLog.AVAILABLE_SPARE.get(log, 0) + "%");
        sheet.row("Available Spare Threshold:", SmartLog.AVAILABLE_SPARE_THRESHOLD.get(log, 0) + "%");
        sheet.row("Life Percentage Used:", SmartLog.PERCENTAGE_USED.get(log, 0) + "%");
        counters(log);
        sheet.row("Warning Temperature Time:", SmartLog.WARNING_TEMPERATURE_TIME.get(log, 0) + " minutes");
        sheet.row("Critical Temperature Time:", SmartLog.CRITICAL_TEMPERATURE_TIME.get(log, 0) + " minutes");
        for (int i = 0; i < SmartLog.TEMPERATURE_SENSORS.count(); i++) {
            int kelvins = LittleEndian.u16(log, SmartLog.TEMPERATURE_SENSORS.at(0, i));
            if (kelvins != 0) {
                sheet.row("Temperature Sensor " + (i + 1) + ":", Sheet.temperature(kelvins));
            }
        }
        sheet.gap();
    }

    private void warning(String label, int bit) {
        sheet.row(label, bit != 0 ? "WARNING" : "OK");
    }

    private void counters(MemorySegment log) {
        counter("Data Units Read:", log, SmartLog.DATA_UNITS_READ, "");
        counter("Data Units Written:", log, SmartLog.DATA_UNITS_WRITTEN, "");
        counter("Host Read Commands:", log, SmartLog.HOST_READ_COMMANDS, "");
        counter("Host Write Commands:", log, SmartLog.HOST_WRITE_COMMANDS, "");
        counter("Controller Busy Time:", log, SmartLog.CONTROLLER_BUSY_TIME, " minutes");
        counter("Power Cycles:", log, SmartLog.POWER_CYCLES, "");
        counter("Power On Hours:", log, SmartLog.POWER_ON_HOURS, " hours");
        counter("Unsafe Shutdowns:", log, SmartLog.UNSAFE_SHUTDOWNS, "");
        counter("Unrecoverable Media Errors:", log, SmartLog.MEDIA_ERRORS, "");
        counter("Lifetime Error Log Entries:", log, SmartLog.ERROR_LOG_ENTRIES, "");
    }

    /// Decimal, or hexadecimal from 2^64 on.
    private void counter(String label, MemorySegment log, U128 field, String unit) {
        long high = field.high(log, 0);
        sheet.row(label, (high == 0
                ? Long.toUnsignedString(field.low(log, 0))
                : String.format("0x%X%016X", high, field.low(log, 0))) + unit);
    }

    /// Number of Queues (base specification 2.0, 5.27.1.5): submission queues in bits 15:0, completion queues in 31:16.
    private void queues(long value) {
        sheet.title("Number of Queues", QUEUE_WIDTH);
        sheet.row("Number of I/O Submission Queues:", (value & 0xffff) + 1);
        sheet.row("Number of I/O Completion Queues:", (value >>> 16 & 0xffff) + 1);
        sheet.gap();
    }

    private void thermalManagement() {
        MemorySegment page = findings.page();
        if ((IdentifyController.HCTMA.get(page, 0) & 1) == 0) {
            return;
        }
        sheet.title("Host Controlled Thermal Management", 0);
        sheet.row("Minimum Thermal Management Temperature:  " + reported(IdentifyController.MNTMT.get(page, 0)));
        sheet.row("Maximum Thermal Management Temperature:   " + reported(IdentifyController.MXTMT.get(page, 0)));
        sheet.gap();
    }

    private static String reported(int kelvins) {
        return kelvins == 0 ? "Not Reported" : Sheet.temperature(kelvins);
    }
}
