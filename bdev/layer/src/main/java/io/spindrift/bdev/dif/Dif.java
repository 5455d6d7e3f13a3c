package io.spindrift.bdev.dif;

import io.spindrift.framework.memory.IoVector;

/// Generates and verifies the protection information of blocks in one [DifFormat].
///
/// A request first sets the tags of its first block with [#tags]; `generate` and `verify` then work through its blocks
/// in order. Calls may follow one another for one request: each continues with the reference tag after the last block
/// of the one before.
/// ```java
/// dif.tags(lba, appTag, appTagMask);
/// long result = dif.verify(Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG, data, blocks);
/// if (result != DifResult.OK) { ... DifResult.nvmeStatusCode(result) ... }
/// ```
/// Data and separate metadata may be in any number of vector entries, whose boundaries may fall inside a block, even
/// inside its protection information.
///
/// Owned by one thread. Allocates only when constructed. A corrupt block is a result, never an exception; buffers that
/// are shorter than the blocks are the caller's bug, an `IndexOutOfBoundsException`.
public final class Dif {
    /// Verify the reference tag. The three checks are the bits of NVMe's three-bit PRCHK field (NVM Command Set
    /// specification, "Protection Information Field - PRINFO").
    public static final int CHECK_REFERENCE_TAG = 1;
    /// Verify the application tag, under the mask.
    public static final int CHECK_APPLICATION_TAG = 1 << 1;
    /// Verify the guard.
    public static final int CHECK_GUARD = 1 << 2;

    /// The application tag that, alone (types 1 and 2) or with a reference tag of all ones (type 3), exempts a block
    /// from every check.
    public static final int ESCAPE_APPLICATION_TAG = 0xFFFF;

    private final DifFormat format;
    private final PiFormat pi;
    private final GuardCrc guard;
    private final BufferCursor data = new BufferCursor();
    private final BufferCursor separateMetadata = new BufferCursor();
    private final BufferCursor rewrite = new BufferCursor();
    private final int tailBytes;
    private final boolean countsReferenceTag;

    private long referenceTag;
    private int applicationTag;
    private int applicationTagMask;

    private long foundGuard;
    private int foundApplicationTag;
    private long foundReferenceTag;
    private long expected;
    private long actual;

    public Dif(DifFormat format) {
        this.format = format;
        this.pi = format.piFormat();
        this.guard = new GuardCrc(pi);
        this.tailBytes = format.metadataBytes() - format.piOffset() - pi.tupleBytes();
        this.countsReferenceTag = format.type() != DifType.TYPE_3;
    }

    /// The layout this object was made for.
    public DifFormat format() {
        return format;
    }

    /// Sets the tags of a request's first block. Of `referenceTag` the bits that the format stores are used; of
    /// `applicationTagMask` a one means that the bit of the application tag is compared.
    public void tags(long referenceTag, int applicationTag, int applicationTagMask) {
        this.referenceTag = referenceTag & pi.referenceTagMask();
        this.applicationTag = applicationTag & 0xFFFF;
        this.applicationTagMask = applicationTagMask & 0xFFFF;
    }

    /// Writes the protection information of `blocks` interleaved blocks that start `vector`.
    public void generate(IoVector vector, int blocks) {
        requireLayout(true);
        data.walk(vector);
        generate(data, blocks);
    }

    /// Writes the protection information of the `blocks` blocks that start `vector` into `metadata`, which starts with
    /// the first block's.
    public void generate(IoVector vector, IoVector metadata, int blocks) {
        requireLayout(false);
        data.walk(vector);
        separateMetadata.walk(metadata);
        generate(separateMetadata, blocks);
    }

    /// Verifies `blocks` interleaved blocks that start `vector`, up to the first error. `checks` is a union of the
    /// `CHECK_` bits; other bits are ignored, and so is [#CHECK_REFERENCE_TAG] for type 3.
    ///
    /// Returns a [DifResult].
    public long verify(int checks, IoVector vector, int blocks) {
        requireLayout(true);
        data.walk(vector);
        return verify(checks, data, blocks);
    }

    /// As [#verify(int, IoVector, int)], with `metadata` that starts with the first block's.
    public long verify(int checks, IoVector vector, IoVector metadata, int blocks) {
        requireLayout(false);
        data.walk(vector);
        separateMetadata.walk(metadata);
        return verify(checks, separateMetadata, blocks);
    }

    /// Replaces the reference tags of `blocks` interleaved blocks that start `vector`: what a copy to another address
    /// needs. The guard does not cover them. Blocks with escape values keep theirs, as do all of type 3.
    public void retag(IoVector vector, int blocks) {
        requireLayout(true);
        data.walk(vector);
        retag(data, format.dataBytes() + format.piOffset(), blocks);
    }

    /// As [#retag(IoVector, int)], for separate metadata.
    public void retagMetadata(IoVector metadata, int blocks) {
        requireLayout(false);
        separateMetadata.walk(metadata);
        retag(separateMetadata, format.piOffset(), blocks);
    }

    /// The value that the last failed check wanted.
    public long expected() {
        return expected;
    }

    /// The value that the last failed check found.
    public long actual() {
        return actual;
    }

    private void generate(BufferCursor metadata, int blocks) {
        for (int block = 0; block < blocks; block++) {
            writeTuple(metadata, computeGuard(metadata), applicationTag);
            metadata.skip(tailBytes);
            advanceReferenceTag();
        }
        releaseBuffers();
    }

    private long verify(int checks, BufferCursor metadata, int blocks) {
        long result = DifResult.OK;
        for (int block = 0; block < blocks && result == DifResult.OK; block++) {
            int failed = verifyBlock(checks, metadata);
            if (failed != 0) {
                result = DifResult.of(failed, block);
            }
            metadata.skip(tailBytes);
            advanceReferenceTag();
        }
        releaseBuffers();
        return result;
    }

    private void retag(BufferCursor buffer, int bytesBeforeTuple, int blocks) {
        for (int block = 0; block < blocks && countsReferenceTag; block++) {
            buffer.skip(bytesBeforeTuple);
            rewrite.from(buffer);
            readTuple(buffer);
            if (!isEscaped()) {
                writeTuple(rewrite, foundGuard, foundApplicationTag);
            }
            buffer.skip(tailBytes);
            advanceReferenceTag();
        }
        releaseBuffers();
    }

    /// Returns 0 or the kind of error. The guard is computed before the tuple is seen, because that is the order of the
    /// bytes, but only if it is to be checked.
    private int verifyBlock(int checks, BufferCursor metadata) {
        long computed = 0;
        if ((checks & CHECK_GUARD) != 0) {
            computed = computeGuard(metadata);
        } else {
            data.skip(format.dataBytes());
            metadata.skip(format.piOffset());
        }
        readTuple(metadata);
        if (isEscaped()) {
            return 0;
        }
        if ((checks & CHECK_GUARD) != 0 && foundGuard != computed) {
            return fail(DifResult.GUARD, computed, foundGuard);
        }
        if ((checks & CHECK_APPLICATION_TAG) != 0
                && ((foundApplicationTag ^ applicationTag) & applicationTagMask) != 0) {
            return fail(DifResult.APPLICATION_TAG, applicationTag & applicationTagMask,
                    foundApplicationTag & applicationTagMask);
        }
        if ((checks & CHECK_REFERENCE_TAG) != 0 && countsReferenceTag && foundReferenceTag != referenceTag) {
            return fail(DifResult.REFERENCE_TAG, referenceTag, foundReferenceTag);
        }
        return 0;
    }

    private int fail(int kind, long expected, long actual) {
        this.expected = expected;
        this.actual = actual;
        return kind;
    }

    private boolean isEscaped() {
        return foundApplicationTag == ESCAPE_APPLICATION_TAG
                && (countsReferenceTag || foundReferenceTag == pi.referenceTagMask());
    }

    private long computeGuard(BufferCursor metadata) {
        guard.start();
        data.feed(guard, format.dataBytes());
        metadata.feed(guard, format.piOffset());
        return guard.value();
    }

    private void advanceReferenceTag() {
        if (countsReferenceTag) {
            referenceTag = referenceTag + 1 & pi.referenceTagMask();
        }
    }

    private void readTuple(BufferCursor metadata) {
        long first = metadata.word();
        switch (pi) {
            case GUARD_16 -> {
                foundGuard = first >>> 48;
                foundApplicationTag = (int) (first >>> 32) & 0xFFFF;
                foundReferenceTag = first & pi.referenceTagMask();
            }
            case GUARD_32 -> {
                foundGuard = first >>> 32;
                foundApplicationTag = (int) (first >>> 16) & 0xFFFF;
                foundReferenceTag = metadata.word();
            }
            case GUARD_64 -> {
                long second = metadata.word();
                foundGuard = first;
                foundApplicationTag = (int) (second >>> 48);
                foundReferenceTag = second & pi.referenceTagMask();
            }
        }
    }

    private void writeTuple(BufferCursor metadata, long guardValue, int tag) {
        switch (pi) {
            case GUARD_16 -> metadata.putWord(guardValue << 48 | (long) tag << 32 | referenceTag);
            case GUARD_32 -> {
                metadata.putWord(guardValue << 32 | (long) tag << 16);
                metadata.putWord(referenceTag);
            }
            case GUARD_64 -> {
                metadata.putWord(guardValue);
                metadata.putWord((long) tag << 48 | referenceTag);
            }
        }
    }

    private void requireLayout(boolean interleaved) {
        if (format.interleaved() != interleaved) {
            throw new IllegalStateException("md_interleave=" + format.interleaved()
                    + " but the call is for the other layout of metadata");
        }
    }

    private void releaseBuffers() {
        data.release();
        separateMetadata.release();
        rewrite.release();
    }
}
