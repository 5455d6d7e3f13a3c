package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifResult;
import io.spindrift.framework.memory.IoVector;

/// One channel's way to a storage with protection information: everything that is written or read is checked.
///
/// Each operation returns a [BdevStatus]. The reference tag expected of a block is its address, for all types. What was
/// never written reads as [UnwrittenBlocks]. A request may be done in pieces: `at` is the first block of a piece in the
/// request's vectors. Owned by the channel's thread; allocates nothing once made, unless a vector has more ranges than
/// any before.
final class ProtectedBlocks {
    private final MallocStorage storage;
    private final DifFormat format;
    private final Dif dif;
    private final IoVector ownData = new IoVector(1);
    private final IoVector ownMetadata = new IoVector(1);
    private final IoVector pieceData = new IoVector(8);
    private final IoVector pieceMetadata = new IoVector(8);
    private int checks;
    private int tag;
    private int tagMask;

    ProtectedBlocks(MallocStorage storage, DifFormat format) {
        this.storage = storage;
        this.format = format;
        this.dif = new Dif(format);
    }

    /// What the operations that follow check ([Dif]'s bits), and the application tag that they expect or write.
    void expect(int newChecks, int newTag, int newTagMask) {
        checks = newChecks;
        tag = newTag;
        tagMask = newTagMask;
    }

    /// Reads `count` blocks from `first` into `vector`, and their separate metadata into `metadata` unless that is null.
    long read(long first, long count, IoVector vector, IoVector metadata, long at) {
        for (long done = 0; done < count;) {
            long run = storage.written().runLength(first + done, count - done);
            long to = at + done;
            if (run < 0) {
                run = -run;
                storage.unwritten().read(vector, to, run);
                if (metadata != null) {
                    storage.unwritten().readMetadata(metadata, to, run);
                }
            } else {
                long status = verifyStored(first + done, run);
                if (status != BdevStatus.SUCCESS) {
                    return status;
                }
                storage.data().read(first + done, run, vector, storage.data().bytes(to));
                if (metadata != null) {
                    storage.metadata().read(first + done, run, metadata, storage.metadata().bytes(to));
                }
            }
            done += run;
        }
        return BdevStatus.SUCCESS;
    }

    /// Checks `count` blocks that are to be stored at `first`. A request checks all before it stores any.
    long check(long first, long count, IoVector vector, IoVector metadata, long at) {
        if (!format.interleaved() && metadata == null) {
            return BdevStatus.SUCCESS;
        }
        dif.tags(first, tag, tagMask);
        IoVector data = piece(pieceData, vector, at, count, format.blockBytes());
        return DifResult.status(format.interleaved()
                ? dif.verify(checks, data, (int) count)
                : dif.verify(checks, data, piece(pieceMetadata, metadata, at, count, format.metadataBytes()),
                        (int) count));
    }

    /// Stores `count` blocks at `first`. Protection information is generated, with the application tag, if the device has
    /// separate metadata and none is given.
    long store(long first, long count, IoVector vector, IoVector metadata, long at) {
        storage.data().write(first, count, vector, storage.data().bytes(at));
        if (metadata != null) {
            storage.metadata().write(first, count, metadata, storage.metadata().bytes(at));
        } else if (!format.interleaved()) {
            useStored(first, count);
            dif.tags(first, tag, 0);
            dif.generate(ownData, ownMetadata, (int) count);
        }
        storage.written().set(first, count);
        return BdevStatus.SUCCESS;
    }

    /// `vector` if the piece is its start, else the piece of it in `into`.
    private static IoVector piece(IoVector into, IoVector vector, long at, long count, long size) {
        if (at == 0) {
            return vector;
        }
        into.clear();
        into.addSlice(vector, at * size, count * size);
        return into;
    }

    /// Compares `count` blocks from `first`, and their separate metadata unless `metadata` is null.
    long compare(long first, long count, IoVector vector, IoVector metadata, long at) {
        for (long done = 0; done < count;) {
            long run = storage.written().runLength(first + done, count - done);
            long to = at + done;
            boolean equal;
            if (run < 0) {
                run = -run;
                equal = storage.unwritten().matches(vector, to, run)
                        && (metadata == null || storage.unwritten().metadataMatches(metadata, to, run));
            } else {
                long status = verifyStored(first + done, run);
                if (status != BdevStatus.SUCCESS) {
                    return status;
                }
                equal = storage.data().matches(first + done, run, vector, storage.data().bytes(to))
                        && (metadata == null || storage.metadata().matches(first + done, run, metadata,
                                storage.metadata().bytes(to)));
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
    long copy(long source, long target, long count) {
        if (target > source && target < source + count) {
            for (long block = count - 1; block >= 0; block--) {
                long status = copyRun(source + block, target + block,
                        storage.written().runLength(source + block, 1));
                if (status != BdevStatus.SUCCESS) {
                    return status;
                }
            }
            return BdevStatus.SUCCESS;
        }
        for (long done = 0; done < count;) {
            long run = storage.written().runLength(source + done, count - done);
            long status = copyRun(source + done, target + done, run);
            if (status != BdevStatus.SUCCESS) {
                return status;
            }
            done += Math.abs(run);
        }
        return BdevStatus.SUCCESS;
    }

    /// `run` as [WrittenBlocks#runLength] gives it: negative for blocks that hold nothing.
    private long copyRun(long source, long target, long run) {
        if (run < 0) {
            deallocate(target, -run);
            return BdevStatus.SUCCESS;
        }
        long status = verifyStored(source, run);
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

    private long verifyStored(long first, long count) {
        useStored(first, count);
        dif.tags(first, tag, tagMask);
        return DifResult.status(format.interleaved()
                ? dif.verify(checks, ownData, (int) count)
                : dif.verify(checks, ownData, ownMetadata, (int) count));
    }

    /// Has the two own vectors name blocks of the storage.
    private void useStored(long first, long count) {
        ownData.clear();
        storage.data().lend(first, count, ownData);
        if (!format.interleaved()) {
            ownMetadata.clear();
            storage.metadata().lend(first, count, ownMetadata);
        }
    }
}
