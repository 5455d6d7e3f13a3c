package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.Array;
import io.spindrift.nvme.spec.Field.U128;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U8;

/// The SMART / Health Information log page, 512 bytes (base specification 2.0, 5.16.1.3, figures 207 and 208).
public final class SmartLog {
    public static final int SIZE = 512;

    public static final int WARNING_AVAILABLE_SPARE = 1;
    public static final int WARNING_TEMPERATURE = 1 << 1;
    public static final int WARNING_RELIABILITY = 1 << 2;
    public static final int WARNING_READ_ONLY = 1 << 3;
    public static final int WARNING_VOLATILE_BACKUP = 1 << 4;

    public static final U8 CRITICAL_WARNING = new U8(0);
    /// Kelvins.
    public static final U16 COMPOSITE_TEMPERATURE = new U16(1);
    /// Percent.
    public static final U8 AVAILABLE_SPARE = new U8(3);
    /// Percent.
    public static final U8 AVAILABLE_SPARE_THRESHOLD = new U8(4);
    /// Up to 255 percent.
    public static final U8 PERCENTAGE_USED = new U8(5);
    /// Endurance Group Critical Warning Summary.
    public static final U8 ENDURANCE_GROUP_WARNINGS = new U8(6);
    /// Thousands of 512 bytes, rounded up.
    public static final U128 DATA_UNITS_READ = new U128(32);
    /// Thousands of 512 bytes, rounded up.
    public static final U128 DATA_UNITS_WRITTEN = new U128(48);
    public static final U128 HOST_READ_COMMANDS = new U128(64);
    public static final U128 HOST_WRITE_COMMANDS = new U128(80);
    /// Minutes.
    public static final U128 CONTROLLER_BUSY_TIME = new U128(96);
    public static final U128 POWER_CYCLES = new U128(112);
    public static final U128 POWER_ON_HOURS = new U128(128);
    public static final U128 UNSAFE_SHUTDOWNS = new U128(144);
    /// Media and Data Integrity Errors.
    public static final U128 MEDIA_ERRORS = new U128(160);
    /// Number of Error Information Log Entries.
    public static final U128 ERROR_LOG_ENTRIES = new U128(176);
    /// Minutes.
    public static final U32 WARNING_TEMPERATURE_TIME = new U32(192);
    /// Minutes.
    public static final U32 CRITICAL_TEMPERATURE_TIME = new U32(196);
    /// Kelvins, 0 for none.
    public static final Array TEMPERATURE_SENSORS = new Array(200, 2, 8);
    public static final U32 THERMAL_1_TRANSITIONS = new U32(216);
    public static final U32 THERMAL_2_TRANSITIONS = new U32(220);
    /// Seconds.
    public static final U32 THERMAL_1_TIME = new U32(224);
    /// Seconds.
    public static final U32 THERMAL_2_TIME = new U32(228);

    private SmartLog() {}
}
