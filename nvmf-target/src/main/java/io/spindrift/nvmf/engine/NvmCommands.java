package io.spindrift.nvmf.engine;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvmf.GroupNamespace;
import io.spindrift.nvmf.GroupSubsystem;
import io.spindrift.nvmf.SubsystemOptions;
import io.spindrift.nvmf.spi.OncsFeature;
import java.lang.foreign.MemorySegment;

/// The commands of I/O queues (NVM command set 1.0, 3). The data path: nothing here allocates, blocks or throws.
final class NvmCommands {
    /// Units of WZSL.
    private static final long PAGE = 4096;

    private NvmCommands() {}

    /// Begins a command of an I/O queue, which meets no pause.
    static void execute(QueuePair queue, Request request) {
        if (request.fuse() != SubmissionQueueEntry.FUSE_NONE) {
            FusedCommands.execute(queue, request);
            return;
        }
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
        GroupNamespace namespace = subsystem.namespace(nsid);
        if (request.borrows() && !namespace.lends()) {
            request.useBuffers();
            return;
        }
        request.use(namespace);
        submit(request);
    }

    /// The first logical block of a command that has one, else 0.
    static long firstBlock(Request request) {
        return switch (request.opcode()) {
            case NvmOpcode.READ, NvmOpcode.WRITE, NvmOpcode.COMPARE, NvmOpcode.WRITE_ZEROES ->
                LbaCommand.slba(request.sqe(), request.sqeAt());
            default -> 0;
        };
    }

    /// Submits the I/O of a command that uses its namespace; again after it had to wait.
    static void submit(Request request) {
        switch (request.opcode()) {
            case NvmOpcode.READ, NvmOpcode.WRITE -> transfer(request);
            case NvmOpcode.FLUSH -> flush(request);
            case NvmOpcode.RESERVATION_REGISTER, NvmOpcode.RESERVATION_REPORT, NvmOpcode.RESERVATION_ACQUIRE,
                    NvmOpcode.RESERVATION_RELEASE ->
                ReservationCommands.execute(request);
            default -> submitOptional(request);
        }
    }

    private static void submitOptional(Request request) {
        OncsFeature feature = feature(request.opcode());
        if (feature == null || request.queue().transport().options().maskedOncs().contains(feature)) {
            request.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
            return;
        }
        switch (feature) {
            case NVMCMPS -> transfer(request);
            case NVMWZSV -> writeZeroes(request);
            case NVMDSMSV -> request.ranges.manageDataset(request, options(request).dmrsl());
            default -> request.ranges.copy(request);
        }
    }

    /// What a transport keeps from hosts to have no such command; null for one that every controller has, or none has.
    static OncsFeature feature(int opcode) {
        return switch (opcode) {
            case NvmOpcode.COMPARE -> OncsFeature.NVMCMPS;
            case NvmOpcode.WRITE_ZEROES -> OncsFeature.NVMWZSV;
            case NvmOpcode.DATASET_MANAGEMENT -> OncsFeature.NVMDSMSV;
            case NvmOpcode.COPY -> OncsFeature.NVMCPYS;
            default -> null;
        };
    }

    private static SubsystemOptions options(Request request) {
        return request.queue().subsystem().view().subsystem().options();
    }

    private static void transfer(Request request) {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        GroupNamespace namespace = request.namespace();
        BdevChannel channel = namespace.channel();
        long first = LbaCommand.slba(sqe, at);
        long blocks = LbaCommand.blocks(sqe, at);
        long bytes = blocks * namespace.namespace().bdev().blockSize();
        if (request.transferLength() != bytes) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        boolean taken = switch (request.opcode()) {
            case NvmOpcode.READ -> {
                request.returns(bytes);
                yield request.borrows()
                        ? channel.zcopyStart(first, blocks, true, request)
                        : channel.read(request.data(), first, blocks, request);
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
        int wzsl = options(request).wzsl();
        if (wzsl > 0 && blocks * request.namespace().namespace().bdev().blockSize() > PAGE << wzsl) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
        } else if (!request.namespace().channel().writeZeroes(first, blocks, request)) {
            request.waitForIo();
        }
    }
}
