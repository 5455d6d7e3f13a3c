package io.spindrift.bdev.dif;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;

/// Blocks of random data with protection information made by the specification's words: bitwise CRCs, fields put down
/// with a big-endian `ByteBuffer`.
final class DifBlocks {
    final DifFormat format;
    final int blocks;
    final byte[] data;
    final byte[] metadata;

    DifBlocks(DifFormat format, int blocks, Random random) {
        this.format = format;
        this.blocks = blocks;
        data = new byte[blocks * format.dataBytes()];
        metadata = new byte[blocks * format.metadataBytes()];
        random.nextBytes(data);
        random.nextBytes(metadata);
    }

    /// Writes the protection information that the specification asks for.
    void protect(long referenceTag, int applicationTag) {
        for (int block = 0; block < blocks; block++) {
            long tag = format.type() == DifType.TYPE_3 ? referenceTag : referenceTag + block;
            ByteBuffer tuple = ByteBuffer.wrap(metadata, tupleAt(block), format.piFormat().tupleBytes());
            long guard = guard(block);
            switch (format.piFormat()) {
                case GUARD_16 -> tuple.putShort((short) guard).putShort((short) applicationTag).putInt((int) tag);
                case GUARD_32 -> tuple.putInt((int) guard).putShort((short) applicationTag).putShort((short) 0)
                        .putLong(tag);
                case GUARD_64 -> tuple.putLong(guard).putShort((short) applicationTag).putShort((short) (tag >>> 32))
                        .putInt((int) tag);
            }
        }
    }

    private long guard(int block) {
        int piOffset = format.headOfMetadata() ? 0 : format.metadataBytes() - format.piFormat().tupleBytes();
        byte[] covered = new byte[format.dataBytes() + piOffset];
        System.arraycopy(data, block * format.dataBytes(), covered, 0, format.dataBytes());
        System.arraycopy(metadata, block * format.metadataBytes(), covered, format.dataBytes(), piOffset);
        return ReferenceCrc.guard(format.piFormat(), covered, 0, covered.length);
    }

    /// Index in `metadata` of the first byte of a block's protection information.
    int tupleAt(int block) {
        return block * format.metadataBytes()
                + (format.headOfMetadata() ? 0 : format.metadataBytes() - format.piFormat().tupleBytes());
    }

    /// The bytes of the data buffer: with the metadata between the blocks if it is interleaved.
    byte[] dataBuffer() {
        if (!format.interleaved()) {
            return data.clone();
        }
        ByteBuffer all = ByteBuffer.allocate(data.length + metadata.length);
        for (int block = 0; block < blocks; block++) {
            all.put(data, block * format.dataBytes(), format.dataBytes());
            all.put(metadata, block * format.metadataBytes(), format.metadataBytes());
        }
        return all.array();
    }

    /// `bytes` in a vector whose entries have random lengths in 1..maxEntry, each in a segment of its own.
    static IoVector scatter(byte[] bytes, int maxEntry, Random random, Arena arena) {
        IoVector vector = new IoVector(4);
        for (int at = 0; at < bytes.length;) {
            int length = Math.min(bytes.length - at, 1 + random.nextInt(maxEntry));
            int offset = random.nextInt(16);
            MemorySegment segment = arena.allocate(offset + length + random.nextInt(16));
            MemorySegment.copy(bytes, at, segment, ValueLayout.JAVA_BYTE, offset, length);
            vector.add(segment, offset, length);
            at += length;
        }
        return vector;
    }

    static byte[] gather(IoVector vector) {
        byte[] bytes = new byte[(int) vector.byteLength()];
        vector.copyTo(MemorySegment.ofArray(bytes), 0, 0, bytes.length);
        return bytes;
    }
}
