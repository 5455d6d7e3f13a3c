package io.spindrift.nvmf.engine;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvmf.GroupNamespace;
import io.spindrift.nvmf.GroupSubsystem;
import java.lang.foreign.MemorySegment;

/// The commands of I/O queues (NVM command set 1.0, 3). The data path: nothing here allocates, blocks or throws.
final class NvmCommands {
    private static final int RANGES_PER_TURN = 16;

    private NvmCommands() {}

    /// Begins a command of an I/O queue, which meets no pause.
    static void execute(QueuePair queue, Request request) {
        GroupSubsystem subsystem = queue.subsystem();
        long nsid = request.nsid();
        if (subsystem.isPaused(nsid)) {
            subsystem.park(request);
            return;
        }
        int slot = subsystem.view().slot(nsid);
        if (slot < 0) {
            request.complete(Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT));
            return;
        }
        int refusal = queue.refusal(slot, request.opcode());
        if (refusal != 0) {
            request.complete(refusal);
            return;
        }
        if (SubmissionQueueEntry.fuse(request.sqe(), request.sqeAt()) != SubmissionQueueEntry.FUSE_NONE) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            return;
        }
        request.use(subsystem.namespace(nsid));
        submit(request);
    }

    /// Submits the I/O of a command that uses its namespace; again after it had to wait.
    static void submit(Request request) {
        switch (request.opcode()) {
            case NvmOpcode.READ, NvmOpcode.WRITE, NvmOpcode.COMPARE -> transfer(request);
            case NvmOpcode.FLUSH -> flush(request);
            case NvmOpcode.WRITE_ZEROES -> writeZeroes(request);
            case NvmOpcode.DATASET_MANAGEMENT -> manageDataset(request);
            case NvmOpcode.RESERVATION_REGISTER, NvmOpcode.RESERVATION_REPORT, NvmOpcode.RESERVATION_ACQUIRE,
                    NvmOpcode.RESERVATION_RELEASE ->
                ReservationCommands.execute(request);
            default -> request.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
        }
    }

    private static void transfer(Request request) {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        GroupNamespace namespace = request.namespace();
        BdevChannel channel = namespace.channel();
        long first = LbaCommand.slba(sqe, at);
        long blocks = LbaCommand.blocks(sqe, at);
        long bytes = blocks * namespace.namespace().bdev().blockSize();
        if (request.data().byteLength() != bytes) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        boolean taken = switch (request.opcode()) {
            case NvmOpcode.READ -> {
                request.returns(bytes);
                yield channel.read(request.data(), first, blocks, request);
            }
            case NvmOpcode.WRITE -> channel.write(request.data(), first, blocks, request);
            default -> channel.compare(request.data(), first, blocks, null, request);
        };
        if (!taken) {
            request.waitForIo();
        }
    }

    private static void flush(Request request) {
        GroupNamespace namespace = request.namespace();
        if (!namespace.namespace().bdev().supports(BdevIoType.FLUSH)) {
            request.complete(Status.SUCCESS); // nothing is volatile there
        } else if (!namespace.channel().flush(0, namespace.namespace().numBlocks(), request)) {
            request.waitForIo();
        }
    }

    private static void writeZeroes(Request request) {
        long first = LbaCommand.slba(request.sqe(), request.sqeAt());
        long blocks = LbaCommand.blocks(request.sqe(), request.sqeAt());
        if (!request.namespace().channel().writeZeroes(first, blocks, request)) {
            request.waitForIo();
        }
    }

    // ---- Dataset Management -----------------------------------------------------------------------------------

    /// Deallocates; the other attributes are hints.
    private static void manageDataset(Request request) {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        int ranges = DatasetManagement.ranges(sqe, at);
        if (request.data().byteLength() < (long) ranges * DatasetManagement.RANGE_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        boolean deallocates = (DatasetManagement.attributes(sqe, at) & DatasetManagement.AD) != 0;
        if (!deallocates || !request.namespace().namespace().bdev().supports(BdevIoType.UNMAP)) {
            request.complete(Status.SUCCESS);
            return;
        }
        request.parts.begin(request, ranges);
        request.parts.goOn();
    }

    /// The I/Os of a command that has several: a few at a time, the rest as those end.
    static final class Parts implements io.spindrift.bdev.BdevCompletion {
        private Request request;
        private int count;
        private int next;
        private int left;
        private long outcome;
        private boolean submitting;

        void begin(Request command, int ranges) {
            request = command;
            count = ranges;
            next = 0;
            left = 0;
            outcome = BdevStatus.SUCCESS;
        }

        /// Submits what it may, and ends the command after the last.
        void goOn() {
            submitting = true;
            while (next < count && left < RANGES_PER_TURN && outcome == BdevStatus.SUCCESS) {
                long at = rangeAt(next);
                MemorySegment ranges = request.data().segment(0);
                long blocks = DatasetManagement.rangeBlocks(ranges, at);
                if (blocks > 0) {
                    long first = DatasetManagement.rangeSlba(ranges, at);
                    if (!request.namespace().channel().unmap(first, blocks, this)) {
                        break;
                    }
                    left++;
                }
                next++;
            }
            submitting = false;
            if (left == 0) {
                endOrWait();
            }
        }

        /// The ranges are at most 4,096 bytes, and so in one buffer.
        private long rangeAt(int index) {
            return request.data().offset(0) + (long) index * DatasetManagement.RANGE_SIZE;
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
    }
}
