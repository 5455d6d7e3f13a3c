package io.spindrift.bdev;

import java.util.List;

/// What an I/O does. Plain ints, since the data path stores one in each [BdevIo].
public final class BdevIoType {
    public static final int READ = 0;
    public static final int WRITE = 1;
    public static final int UNMAP = 2;
    public static final int WRITE_ZEROES = 3;
    public static final int FLUSH = 4;
    public static final int RESET = 5;
    public static final int ABORT = 6;
    public static final int COMPARE = 7;
    public static final int COMPARE_AND_WRITE = 8;
    public static final int COPY = 9;
    /// Borrows the device's own memory for a range: for a read, or to be written and committed by [#ZCOPY_END].
    public static final int ZCOPY_START = 10;
    public static final int ZCOPY_END = 11;
    public static final int SEEK_DATA = 12;
    public static final int SEEK_HOLE = 13;
    public static final int NVME_ADMIN = 14;
    public static final int NVME_IO = 15;

    /// Types are numbered below this.
    public static final int COUNT = 16;

    private static final List<String> NAMES = List.of("read", "write", "unmap", "write_zeroes", "flush", "reset",
            "abort", "compare", "compare_and_write", "copy", "zcopy", "zcopy_end", "seek_data", "seek_hole",
            "nvme_admin", "nvme_io");

    private BdevIoType() {}

    /// The name in RPC results.
    public static String name(int type) {
        return NAMES.get(type);
    }

    /// The type of an RPC's name; [IllegalArgumentException] lists the names.
    public static int parse(String name) {
        int type = NAMES.indexOf(name);
        if (type < 0) {
            throw new IllegalArgumentException("I/O type '" + name + "' is none of " + NAMES);
        }
        return type;
    }
}
