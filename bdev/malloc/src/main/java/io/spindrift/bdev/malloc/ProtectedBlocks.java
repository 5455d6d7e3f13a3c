package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifResult;
import io.spindrift.framework.memory.IoVector;

/// One channel's way to a storage with protection information: everything that is written or read is checked.
///
/// Each operation returns a [BdevStatus]. The reference tag expected of a block is its address, for all types. What was
/// never written reads as [UnwrittenBlocks]. Owned by the channel's thread; allocates nothing once made.
final class ProtectedBlocks {
    /// Longest piece that is handled at once, in blocks; a [Dif] counts in ints.
    private static final long MAX_RUN = 1 << 16;

    private final MallocStorage storage;
    private final DifFormat format;
    private final Dif dif;
    private final IoVector ownData = new IoVector(1);
    private final IoVector ownMetadata = new IoVector(1);

    ProtectedBlocks(MallocStorage storage, DifFormat format) {
        this.storage = storage;
        this.format = format;
        this.dif = new Dif(format);
    }

    /// Reads `count` blocks from `first` into `vector`, and their separate metadata into `metadata` unless that is null.
    long read(long first, long count, IoVector vector, IoVector metadata, int checks, int tag, int tagMask) {
        for (long done = 0; done < count;) {
            long run = run(first + done, count - done);
            if (run < 0) {
                run = -run;
                storage.unwritten().read(vector, done, run);
                if (metadata != null) {
                    storage.unwritten().readMetadata(metadata, done, run);
                }
            } else {
                long status = verifyStored(first + done, run, checks, tag, tagMask);
                if (status != BdevStatus.SUCCESS) {
                    return status;
                }
                storage.data().read(first + done, run, vector, storage.data().bytes(done));
                if (metadata != null) {
                    storage.metadata().read(first + done, run, metadata, storage.metadata().bytes(done));
                }
            }
            done += run;
        }
        return BdevStatus.SUCCESS;
    }

    /// Stores `count` blocks at `first`, after checking them all: if one is refused, nothing is stored. Protection
    /// information is generated, with application tag `tag`, if the device has separate metadata and none is given.
    long write(long first, long count, IoVector vector, IoVector metadata, int checks, int tag, int tagMask) {
        boolean given = format.interleaved() || metadata != null;
        if (given) {
            dif.tags(first, tag, tagMask);
            long result = format.interleaved()
                    ? dif.verify(checks, vector, (int) count)
                    : dif.verify(checks, vector, metadata, (int) count);
            if (result != DifResult.OK) {
                return statusOf(result);
            }
        }
        storage.data().write(first, count, vector, 0);
        if (metadata != null) {
            storage.metadata().write(first, count, metadata, 0);
        } else if (!given) {
            generateStored(first, count, tag);
        }
        storage.written().set(first, count);
        return BdevStatus.SUCCESS;
    }

    /// Compares `count` blocks from `first`, and their separate metadata unless `metadata` is null.
    long compare(long first, long count, IoVector vector, IoVector metadata, int checks, int tag, int tagMask) {
        for (long done = 0; done < count;) {
            long run = run(first + done, count - done);
            boolean equal;
            if (run < 0) {
                run = -run;
                equal = storage.unwritten().matches(vector, done, run)
                        && (metadata == null || storage.unwritten().metadataMatches(metadata, done, run));
            } else {
                long status = verifyStored(first + done, run, checks, tag, tagMask);
                if (status != BdevStatus.SUCCESS) {
                    return status;
                }
                equal = storage.data().matches(first + done, run, vector, storage.data().bytes(done))
                        && (metadata == null || storage.metadata().matches(first + done, run, metadata,
                                storage.metadata().bytes(done)));
            }
            if (!equal) {
                return BdevStatus.MISCOMPARE;
            }
            done += run;
        }
        return BdevStatus.SUCCESS;
    }

    /// The blocks hold nothing any more.
    void deallocate(long first, long count) {
        storage.written().clear(first, count);
    }

    /// Copies `count` blocks, which may overlap, and gives them the reference tags of their new addresses.
    long copy(long source, long target, long count, int checks, int tag, int tagMask) {
        if (target > source && target < source + count) {
            for (long block = count - 1; block >= 0; block--) {
                long status = copyRun(source + block, target + block, run(source + block, 1), checks, tag, tagMask);
                if (status != BdevStatus.SUCCESS) {
                    return status;
                }
            }
            return BdevStatus.SUCCESS;
        }
        for (long done = 0; done < count;) {
            long run = run(source + done, count - done);
            long status = copyRun(source + done, target + done, run, checks, tag, tagMask);
            if (status != BdevStatus.SUCCESS) {
                return status;
            }
            done += Math.abs(run);
        }
        return BdevStatus.SUCCESS;
    }

    /// `run` as [WrittenBlocks#runLength] gives it: negative for blocks that hold nothing.
    private long copyRun(long source, long target, long run, int checks, int tag, int tagMask) {
        if (run < 0) {
            deallocate(target, -run);
            return BdevStatus.SUCCESS;
        }
        long status = verifyStored(source, run, checks, tag, tagMask);
        if (status != BdevStatus.SUCCESS) {
            return status;
        }
        storage.data().copy(source, target, run);
        if (storage.metadata() != null) {
            storage.metadata().copy(source, target, run);
        }
        useStored(target, run);
        dif.tags(target, 0, 0);
        if (format.interleaved()) {
            dif.retag(ownData, (int) run);
        } else {
            dif.retagMetadata(ownMetadata, (int) run);
        }
        storage.written().set(target, run);
        return BdevStatus.SUCCESS;
    }

    private long run(long first, long count) {
        return storage.written().runLength(first, Math.min(count, MAX_RUN));
    }

    private long verifyStored(long first, long count, int checks, int tag, int tagMask) {
        useStored(first, count);
        dif.tags(first, tag, tagMask);
        long result = format.interleaved()
                ? dif.verify(checks, ownData, (int) count)
                : dif.verify(checks, ownData, ownMetadata, (int) count);
        return result == DifResult.OK ? BdevStatus.SUCCESS : statusOf(result);
    }

    private void generateStored(long first, long count, int tag) {
        useStored(first, count);
        dif.tags(first, tag, 0);
        dif.generate(ownData, ownMetadata, (int) count);
    }

    /// Has the two own vectors name blocks of the storage.
    private void useStored(long first, long count) {
        ownData.clear();
        storage.data().view(first, count, ownData);
        if (!format.interleaved()) {
            ownMetadata.clear();
            storage.metadata().view(first, count, ownMetadata);
        }
    }

    private static long statusOf(long result) {
        return BdevStatus.nvme(DifResult.NVME_STATUS_CODE_TYPE, DifResult.nvmeStatusCode(result));
    }
}
