package io.spindrift.nvmf.engine;

import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.command.CopyCommand;
import io.spindrift.nvme.spec.command.CopyDescriptor;
import io.spindrift.nvme.spec.command.DatasetManagement;
import java.lang.foreign.MemorySegment;

/// A command whose data are a list of ranges, with an I/O for each: Dataset Management and Copy (NVM command set 1.0, 3.2.3
/// and 3.2.2). Part of its request; allocates nothing.
///
/// A few I/Os at a time, the rest as those end; after the first that fails there are no more.
final class RangeCommand implements BdevCompletion {
    /// Source ranges of a Copy: as many as fit into 4,096 bytes.
    static final int MAX_COPY_RANGES = 128;
    private static final long MAX_COPY_RANGE_BYTES = 16 << 20;
    private static final long MAX_COPY_BYTES = 64 << 20;
    private static final int MAX_U16 = 0xffff;
    /// The most that DMRL can say, in 8 bits. There may be 256 ranges all the same.
    private static final int MAX_DMRL = 255;
    private static final int UNMAPS_AT_ONCE = 16;
    /// A range may overlap what an earlier one has written.
    private static final int COPIES_AT_ONCE = 1;

    private Request request;
    private boolean copies;
    private int count;
    private int next;
    private int left;
    /// Where the next range is copied to.
    private long destination;
    private long outcome;
    private boolean submitting;

    /// MSSRL: the most blocks of a source range of Copy.
    static int maxCopyRange(int blockSize) {
        return (int) Math.min(MAX_COPY_RANGE_BYTES / blockSize, MAX_U16);
    }

    /// MCL: the most blocks of a Copy.
    static long maxCopy(int blockSize) {
        return MAX_COPY_BYTES / blockSize;
    }

    /// DMRL, if DMRSL is `maxBlocks`: where one of DMRL, DMRSL and DMSL is 0, all are, for no limits.
    static int dmrl(long maxBlocks) {
        return maxBlocks > 0 ? MAX_DMRL : 0;
    }

    private long blocksOfNamespace() {
        return request.namespace().namespace().numBlocks();
    }

    /// Begins a Dataset Management command: deallocates; the other attributes are hints.
    void manageDataset(Request command, long maxBlocks) {
        request = command;
        int ranges = DatasetManagement.ranges(request.sqe(), request.sqeAt());
        boolean deallocates = (DatasetManagement.attributes(request.sqe(), request.sqeAt())
                & DatasetManagement.AD) != 0;
        if (request.data().byteLength() < (long) ranges * DatasetManagement.RANGE_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
        } else if (!deallocates || !request.namespace().namespace().bdev().supports(BdevIoType.UNMAP)) {
            request.complete(Status.SUCCESS);
        } else {
            int status = checkUnmaps(ranges, maxBlocks);
            if (status == Status.SUCCESS) {
                begin(false, ranges);
            } else {
                request.complete(Status.withDnr(status));
            }
        }
    }

    private int checkUnmaps(int ranges, long maxBlocks) {
        MemorySegment list = request.data().segment(0);
        for (int i = 0; i < ranges; i++) {
            long at = rangeAt(i, DatasetManagement.RANGE_SIZE);
            long blocks = DatasetManagement.rangeBlocks(list, at);
            if (maxBlocks > 0 && blocks > maxBlocks) {
                return CommandSpecificStatus.COMMAND_SIZE_LIMIT_EXCEEDED;
            }
            if (blocks > 0 && outside(DatasetManagement.rangeSlba(list, at), blocks)) {
                return GenericStatus.LBA_OUT_OF_RANGE;
            }
        }
        return Status.SUCCESS;
    }

    /// Begins a Copy.
    void copy(Request command) {
        request = command;
        if (CopyCommand.desfmt(request.sqe(), request.sqeAt()) != 0) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            return;
        }
        int ranges = CopyCommand.ranges(request.sqe(), request.sqeAt());
        if (ranges > MAX_COPY_RANGES) {
            request.complete(Status.withDnr(CommandSpecificStatus.COMMAND_SIZE_LIMIT_EXCEEDED));
        } else if (request.data().byteLength() < (long) ranges * CopyDescriptor.FORMAT_0_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
        } else {
            destination = CopyCommand.sdlba(request.sqe(), request.sqeAt());
            int status = checkCopies(ranges);
            if (status == Status.SUCCESS) {
                begin(true, ranges);
            } else {
                request.complete(Status.withDnr(status));
            }
        }
    }

    private int checkCopies(int ranges) {
        int blockSize = request.namespace().namespace().bdev().blockSize();
        MemorySegment list = request.data().segment(0);
        long total = 0;
        for (int i = 0; i < ranges; i++) {
            long at = rangeAt(i, CopyDescriptor.FORMAT_0_SIZE);
            int blocks = CopyDescriptor.blocks(list, at);
            if (blocks > maxCopyRange(blockSize)) {
                return CommandSpecificStatus.COMMAND_SIZE_LIMIT_EXCEEDED;
            }
            if (outside(CopyDescriptor.slba(list, at), blocks)) {
                return GenericStatus.LBA_OUT_OF_RANGE;
            }
            total += blocks;
        }
        if (total > maxCopy(blockSize)) {
            return CommandSpecificStatus.COMMAND_SIZE_LIMIT_EXCEEDED;
        }
        return outside(destination, total) ? GenericStatus.LBA_OUT_OF_RANGE : Status.SUCCESS;
    }

    private boolean outside(long first, long blocks) {
        return first < 0 || first > blocksOfNamespace() - blocks;
    }

    private void begin(boolean isCopy, int ranges) {
        copies = isCopy;
        count = ranges;
        next = 0;
        left = 0;
        outcome = BdevStatus.SUCCESS;
        goOn();
    }

    /// The lists are at most 4,096 bytes, and so in one buffer.
    private long rangeAt(int index, int size) {
        return request.data().offset(0) + (long) index * size;
    }

    /// Submits what it may, and ends the command after the last.
    void goOn() {
        int most = copies ? COPIES_AT_ONCE : UNMAPS_AT_ONCE;
        submitting = true;
        while (next < count && left < most && outcome == BdevStatus.SUCCESS) {
            if (!(copies ? submitCopy() : submitUnmap())) {
                break;
            }
            next++;
        }
        submitting = false;
        if (left == 0) {
            endOrWait();
        }
    }

    private boolean submitUnmap() {
        long at = rangeAt(next, DatasetManagement.RANGE_SIZE);
        MemorySegment list = request.data().segment(0);
        long blocks = DatasetManagement.rangeBlocks(list, at);
        if (blocks == 0) {
            return true;
        }
        boolean taken = request.namespace().channel().unmap(DatasetManagement.rangeSlba(list, at), blocks, this);
        left += taken ? 1 : 0;
        return taken;
    }

    private boolean submitCopy() {
        long at = rangeAt(next, CopyDescriptor.FORMAT_0_SIZE);
        MemorySegment list = request.data().segment(0);
        int blocks = CopyDescriptor.blocks(list, at);
        if (!request.namespace().channel().copy(destination, CopyDescriptor.slba(list, at), blocks, this)) {
            return false;
        }
        destination += blocks;
        left++;
        return true;
    }

    private void endOrWait() {
        if (next < count && outcome == BdevStatus.SUCCESS) {
            request.waitForIo();
        } else {
            request.complete(outcome == BdevStatus.SUCCESS ? Status.SUCCESS : BdevStatus.toNvme(outcome));
        }
    }

    @Override
    public void completed(BdevIo io) {
        left--;
        if (outcome == BdevStatus.SUCCESS) {
            outcome = io.status();
        }
        if (!submitting) {
            goOn();
        }
    }

    /// Has no more I/Os submitted; false if all have been.
    boolean cut() {
        if (next == count || outcome != BdevStatus.SUCCESS) {
            return false;
        }
        outcome = BdevStatus.ABORTED;
        return true;
    }

    /// Whether a command is one of these.
    static boolean is(int opcode) {
        return opcode == NvmOpcode.DATASET_MANAGEMENT || opcode == NvmOpcode.COPY;
    }
}
