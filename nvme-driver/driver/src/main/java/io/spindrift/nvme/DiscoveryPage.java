package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.DiscoveryLog;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

/// The log of a discovery controller: which subsystems there are, and how they are reached (base specification 2.0,
/// 5.16.1, LID 70h).
///
/// @param generation changes with the log
/// @param format     of the records: 0
/// @param records    in the controller's order
public record DiscoveryPage(long generation, int format, List<DiscoveryRecord> records) {
    /// More than any network has; the log of so many has 16 MiB.
    private static final long MOST_RECORDS = 16_384;
    /// A log that changes more often while it is read is not going to stand still.
    private static final int TRIES = 16;

    public DiscoveryPage {
        records = List.copyOf(records);
    }

    /// Reads the log of `controller`, again if it changes meanwhile. On the control path.
    ///
    /// @throws NvmeException if a command fails, or the log cannot be one
    public static DiscoveryPage read(NvmeController controller) {
        for (int i = 0; i < TRIES; i++) {
            MemorySegment header = log(controller, DiscoveryLog.SIZE);
            long generation = DiscoveryLog.GENCTR.get(header, 0);
            long count = DiscoveryLog.NUMREC.get(header, 0);
            if (count < 0 || count > MOST_RECORDS) {
                throw new NvmeException(Errno.EIO, controller.name() + ": its discovery log has "
                        + Long.toUnsignedString(count) + " records (NUMREC), and may have " + MOST_RECORDS);
            }
            MemorySegment whole = count == 0
                    ? header
                    : log(controller, DiscoveryLog.SIZE + count * DiscoveryEntry.SIZE);
            if (DiscoveryLog.GENCTR.get(whole, 0) == generation && DiscoveryLog.NUMREC.get(whole, 0) == count
                    && stands(controller, generation)) {
                return of(whole, count);
            }
        }
        throw new NvmeException(Errno.EAGAIN, controller.name() + ": its discovery log has changed " + TRIES
                + " times while it was read");
    }

    /// Whether the log is still that of `generation`: a long one comes by several commands.
    private static boolean stands(NvmeController controller, long generation) {
        return DiscoveryLog.GENCTR.get(log(controller, DiscoveryLog.SIZE), 0) == generation;
    }

    private static MemorySegment log(NvmeController controller, long bytes) {
        return controller.admin().logPage(Lid.DISCOVERY, Nsid.NONE, bytes);
    }

    private static DiscoveryPage of(MemorySegment log, long count) {
        List<DiscoveryRecord> records = LongStream.range(0, count).mapToObj(i -> new DiscoveryRecord(
                log.asSlice(DiscoveryLog.SIZE + i * DiscoveryEntry.SIZE, DiscoveryEntry.SIZE))).toList();
        return new DiscoveryPage(DiscoveryLog.GENCTR.get(log, 0), DiscoveryLog.RECFMT.get(log, 0), records);
    }
}
