package io.spindrift.bdev.nvme;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.CopyCommand;
import io.spindrift.nvme.spec.command.CopyDescriptor;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.LbaCommand;

/// Writes the command of an I/O, or of the next part of one that is longer than a command can be. Allocates once, for the
/// first I/O that has ranges.
final class IoCommand {
    /// NLB has 16 bits.
    private static final long LONGEST_RANGE = 1 << 16;
    private static final long LONGEST_DEALLOCATION = 0xffff_ffffL;
    /// From the `CHECK_` bits of Dif to PRCHK.
    private static final int PRCHK_SHIFT = 26;

    private final NvmeBdev bdev;
    private final long nsid;
    private final int checks;
    private final boolean tagged;
    private final boolean separateMetadata;
    private IoVector ranges;
    /// Blocks of the I/O that are done, and those that the present command does.
    private long done;
    private long part;

    IoCommand(NvmeBdev bdev) {
        this.bdev = bdev;
        this.nsid = bdev.nsid();
        this.checks = bdev.checks();
        this.tagged = bdev.protection() != 0;
        this.separateMetadata = bdev.separateMetadata();
    }

    /// Another I/O begins.
    void rewind() {
        done = 0;
    }

    /// Whether a part of the I/O is done.
    boolean begun() {
        return done > 0;
    }

    /// Whether the device takes it: no compare-and-write that is longer than a command, and no copy onto a part of its source
    /// that is, since its first part would overwrite what is copied later.
    boolean possible(BdevIo io) {
        return switch (io.type()) {
            case BdevIoType.COMPARE_AND_WRITE -> io.numBlocks() <= bdev.geometry().maxTransferBlocks();
            case BdevIoType.COPY -> io.numBlocks() <= bdev.longestCopy() || !copiesOntoItself(io);
            default -> true;
        };
    }

    /// Whether it may be done again if nobody knows whether it was: not if the first time changes what the second finds.
    static boolean repeatable(BdevIo io) {
        return switch (io.type()) {
            case BdevIoType.COMPARE_AND_WRITE -> false;
            case BdevIoType.COPY -> !copiesOntoItself(io);
            default -> true;
        };
    }

    private static boolean copiesOntoItself(BdevIo io) {
        return Math.abs(io.offsetBlocks() - io.sourceBlocks()) < io.numBlocks();
    }

    /// The present command has succeeded: whether there is more to do.
    boolean advance(BdevIo io) {
        switch (io.type()) {
            case BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES, BdevIoType.COPY -> {
                done += part;
                return done < io.numBlocks();
            }
            default -> {
                return false;
            }
        }
    }

    void build(NvmeRequest request, BdevIo io, IoPath path) {
        int type = io.type();
        if (type == BdevIoType.READ) {
            request.read(nsid, io.offsetBlocks(), (int) io.numBlocks(), checks << PRCHK_SHIFT, io.vector());
            finishData(request, io);
        } else if (type == BdevIoType.WRITE) {
            request.write(nsid, io.offsetBlocks(), (int) io.numBlocks(), checks << PRCHK_SHIFT, io.vector());
            finishData(request, io);
        } else {
            buildOther(request, io, path);
        }
    }

    private void finishData(NvmeRequest request, BdevIo io) {
        if (tagged || separateMetadata || io.options() != null) {
            options(request, io, io.options());
        }
    }

    /// Protection information, metadata, and the dwords that the caller gave.
    private void options(NvmeRequest request, BdevIo io, BdevIoOptions options) {
        int flags = checks;
        if (options != null) {
            flags = tagged ? options.checks(checks) : 0;
            int cdw12 = SubmissionQueueEntry.cdw12(request.command(), request.commandAt()) & 0xffff;
            SubmissionQueueEntry.cdw12(request.command(), request.commandAt(),
                    cdw12 | options.cdw12() & ~(0xf << PRCHK_SHIFT | 0xffff) | flags << PRCHK_SHIFT);
            SubmissionQueueEntry.cdw13(request.command(), request.commandAt(), options.cdw13());
            if (separateMetadata && options.metadata() != null) {
                request.metadata(options.metadata());
            }
        }
        if (tagged) {
            LbaCommand.tags(request.command(), request.commandAt(), (int) io.offsetBlocks(),
                    options == null ? 0 : options.applicationTag(), options == null ? 0 : options.applicationTagMask());
            if (bdev.wideReferenceTags()) {
                SubmissionQueueEntry.cdw3(request.command(), request.commandAt(),
                        (int) (io.offsetBlocks() >>> 32) & 0xffff);
            }
        }
    }

    private void buildOther(NvmeRequest request, BdevIo io, IoPath path) {
        switch (io.type()) {
            case BdevIoType.FLUSH -> request.begin(NvmOpcode.FLUSH, nsid);
            case BdevIoType.WRITE_ZEROES -> {
                part = Math.min(LONGEST_RANGE, io.numBlocks() - done);
                request.range(NvmOpcode.WRITE_ZEROES, nsid, io.offsetBlocks() + done, (int) part, 0);
            }
            case BdevIoType.COMPARE -> {
                compare(request, io);
                finishData(request, io);
            }
            case BdevIoType.UNMAP -> deallocate(request, io, path);
            case BdevIoType.COPY -> copy(request, io, path);
            default -> throw new IllegalStateException(io + " has no command");
        }
    }

    private void compare(NvmeRequest request, BdevIo io) {
        request.range(NvmOpcode.COMPARE, nsid, io.offsetBlocks(), (int) io.numBlocks(), checks << PRCHK_SHIFT);
        request.dataToController(io.vector());
    }

    private void deallocate(NvmeRequest request, BdevIo io, IoPath path) {
        RangeBuffers buffers = path.channel().ranges();
        part = Math.min(LONGEST_DEALLOCATION, io.numBlocks() - done);
        DatasetManagement.range(buffers.segment(), buffers.at(request), io.offsetBlocks() + done, part);
        request.begin(NvmOpcode.DATASET_MANAGEMENT, nsid);
        DatasetManagement.set(request.command(), request.commandAt(), 1, DatasetManagement.AD);
        ranges(request, buffers, DatasetManagement.RANGE_SIZE);
    }

    private void copy(NvmeRequest request, BdevIo io, IoPath path) {
        RangeBuffers buffers = path.channel().ranges();
        int format = bdev.copyFormat();
        part = Math.min(bdev.longestCopy(), io.numBlocks() - done);
        CopyDescriptor.write(buffers.segment(), buffers.at(request), format, io.sourceBlocks() + done, (int) part);
        request.begin(NvmOpcode.COPY, nsid);
        CopyCommand.set(request.command(), request.commandAt(), io.offsetBlocks() + done, 1, format);
        ranges(request, buffers, CopyDescriptor.size(format));
    }

    private void ranges(NvmeRequest request, RangeBuffers buffers, int bytes) {
        if (ranges == null) {
            ranges = new IoVector(1);
        }
        buffers.describe(request, ranges, bytes);
        request.dataToController(ranges);
    }

    /// A compare and a write, of which the second happens only if the first finds no difference.
    void buildFused(NvmeRequest first, NvmeRequest other, BdevIo io) {
        compare(first, io);
        SubmissionQueueEntry.fuse(first.command(), first.commandAt(), SubmissionQueueEntry.FUSE_FIRST);
        finishData(first, io);
        other.write(nsid, io.offsetBlocks(), (int) io.numBlocks(), checks << PRCHK_SHIFT, io.secondVector());
        SubmissionQueueEntry.fuse(other.command(), other.commandAt(), SubmissionQueueEntry.FUSE_SECOND);
        finishData(other, io);
    }
}
