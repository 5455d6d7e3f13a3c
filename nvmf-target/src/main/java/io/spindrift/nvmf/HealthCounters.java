package io.spindrift.nvmf;

import io.spindrift.nvme.spec.MediaStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// What the SMART / Health Information log page tells of a subsystem's I/O since its start (base specification 2.0, 5.16.1.3):
/// the sum of what each poll group has counted.
public final class HealthCounters {
    /// Bytes of a data unit.
    private static final int UNIT = 512;

    private final List<Part> parts = new CopyOnWriteArrayList<>();

    HealthCounters() {}

    /// A sum.
    ///
    /// @param readCommands    Read and Compare commands that have ended, well or not
    /// @param writeCommands   Write commands
    /// @param readUnits       units of 512 bytes that those have read
    /// @param writtenUnits    that those have written
    /// @param integrityErrors commands that ended since data could not be read as they were written
    public record Sum(long readCommands, long writeCommands, long readUnits, long writtenUnits, long integrityErrors) {}

    /// One poll group's: its thread writes it, any thread may read it.
    public static final class Part {
        private final AtomicLong readCommands = new AtomicLong();
        private final AtomicLong writeCommands = new AtomicLong();
        private final AtomicLong readUnits = new AtomicLong();
        private final AtomicLong writtenUnits = new AtomicLong();
        private final AtomicLong integrityErrors = new AtomicLong();

        private Part() {}

        /// A command of an I/O queue, with so many bytes of data, has ended. The data path: allocates nothing.
        public void count(int opcode, long bytes, int status) {
            boolean moved = status == Status.SUCCESS || Status.code(status) == MediaStatus.COMPARE_FAILURE;
            long units = moved ? bytes / UNIT : 0;
            switch (opcode) {
                case NvmOpcode.READ, NvmOpcode.COMPARE -> {
                    add(readCommands, 1);
                    add(readUnits, units);
                }
                case NvmOpcode.WRITE -> {
                    add(writeCommands, 1);
                    add(writtenUnits, units);
                }
                default -> {
                    // no other moves data of the host's
                }
            }
            if (!moved && isIntegrityError(status)) {
                add(integrityErrors, 1);
            }
        }

        private static void add(AtomicLong counter, long more) {
            // One thread writes: nothing to compete with. Opaque, so that a reader sees whole values that only grow.
            counter.setOpaque(counter.getPlain() + more);
        }

        private static boolean isIntegrityError(int status) {
            return switch (Status.code(status)) {
                case MediaStatus.UNRECOVERED_READ_ERROR, MediaStatus.GUARD_CHECK_ERROR,
                        MediaStatus.APPLICATION_TAG_CHECK_ERROR, MediaStatus.REFERENCE_TAG_CHECK_ERROR,
                        MediaStatus.STORAGE_TAG_CHECK_ERROR ->
                    true;
                default -> false;
            };
        }
    }

    /// Another poll group's part. Any thread.
    Part newPart() {
        Part part = new Part();
        parts.add(part);
        return part;
    }

    /// All that was counted until now. Any thread.
    public Sum sum() {
        long[] sums = new long[5];
        for (Part part : parts) {
            sums[0] += part.readCommands.getOpaque();
            sums[1] += part.writeCommands.getOpaque();
            sums[2] += part.readUnits.getOpaque();
            sums[3] += part.writtenUnits.getOpaque();
            sums[4] += part.integrityErrors.getOpaque();
        }
        return new Sum(sums[0], sums[1], sums[2], sums[3], sums[4]);
    }
}
