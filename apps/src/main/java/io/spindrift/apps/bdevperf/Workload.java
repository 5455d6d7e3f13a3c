package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.BdevIoType;
import java.util.Arrays;
import java.util.stream.Collectors;

/// What a job does, by the name that users give to `-w` and to `rw=` in a job file.
enum Workload {
    READ("read", Operation.READ, false),
    WRITE("write", Operation.WRITE, false),
    RANDREAD("randread", Operation.READ, true),
    RANDWRITE("randwrite", Operation.WRITE, true),
    RW("rw", Operation.MIXED, false),
    RANDRW("randrw", Operation.MIXED, true),
    VERIFY("verify", Operation.VERIFY, false),
    RESET("reset", Operation.VERIFY, false),
    UNMAP("unmap", Operation.UNMAP, false),
    FLUSH("flush", Operation.FLUSH, false),
    WRITE_ZEROES("write_zeroes", Operation.WRITE_ZEROES, false);

    /// What one unit of work of a job is.
    enum Operation {
        READ(BdevIoType.READ),
        WRITE(BdevIoType.WRITE),
        /// A read or a write, by chance.
        MIXED(BdevIoType.READ, BdevIoType.WRITE),
        /// A write, then a read of the same blocks, whose data is compared.
        VERIFY(BdevIoType.READ, BdevIoType.WRITE),
        UNMAP(BdevIoType.UNMAP),
        FLUSH(BdevIoType.FLUSH),
        WRITE_ZEROES(BdevIoType.WRITE_ZEROES);

        private final int[] types;

        Operation(int... types) {
            this.types = types;
        }

        /// The types of I/O that it takes, of [BdevIoType].
        int[] types() {
            return types.clone();
        }

        /// Whether it moves data between a buffer and the device.
        boolean moves() {
            return types[0] == BdevIoType.READ || types[0] == BdevIoType.WRITE;
        }
    }

    private final String text;
    private final Operation operation;
    private final boolean random;

    Workload(String text, Operation operation, boolean random) {
        this.text = text;
        this.operation = operation;
        this.random = random;
    }

    /// The workload of a name; [IllegalArgumentException] lists the names.
    static Workload parse(String name) {
        for (Workload workload : values()) {
            if (workload.text.equals(name)) {
                return workload;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is no workload; there are " + names());
    }

    /// All names, with commas between them.
    static String names() {
        return Arrays.stream(values()).map(workload -> workload.text).collect(Collectors.joining(", "));
    }

    String text() {
        return text;
    }

    Operation operation() {
        return operation;
    }

    /// Whether blocks are picked at random, else in order.
    boolean random() {
        return random;
    }

    /// Whether the share of reads must be given.
    boolean mixed() {
        return operation == Operation.MIXED;
    }

    /// Whether it reads back what it wrote.
    boolean verifies() {
        return operation == Operation.VERIFY;
    }

    /// Whether the device is reset now and then meanwhile, so that I/O may be aborted.
    boolean resets() {
        return this == RESET;
    }

    /// Whether it changes the device, which then must be opened for writing.
    boolean changes() {
        return operation != Operation.READ;
    }
}
