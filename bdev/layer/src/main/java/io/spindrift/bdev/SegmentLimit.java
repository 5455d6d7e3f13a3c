package io.spindrift.bdev;

import io.spindrift.framework.memory.IoVector;

/// How much of a vector fits a module's limits on the number and the length of ranges.
final class SegmentLimit {
    private SegmentLimit() {}

    /// Whether the vector as it is keeps to both limits.
    static boolean fits(IoVector vector, BdevGeometry geometry) {
        if (geometry.maxSegments() > 0 && vector.count() > geometry.maxSegments()) {
            return false;
        }
        if (geometry.maxSegmentSize() > 0) {
            for (int i = 0; i < vector.count(); i++) {
                if (vector.length(i) > geometry.maxSegmentSize()) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Whether every block lies in few enough ranges, so that no buffer is needed. Blocks start at multiples of
    /// `blockSize` from the start of the vector.
    static boolean divisible(IoVector vector, long blockSize, BdevGeometry geometry) {
        for (long at = 0; at < vector.byteLength(); at += blockSize) {
            if (bytesThatFit(vector, at, blockSize, geometry) < blockSize) {
                return false;
            }
        }
        return true;
    }

    /// How many of the `length` bytes from `fromByte` fit into the allowed number of ranges of the allowed length.
    static long bytesThatFit(IoVector vector, long fromByte, long length, BdevGeometry geometry) {
        long longest = geometry.maxSegmentSize() > 0 ? geometry.maxSegmentSize() : Long.MAX_VALUE;
        int left = geometry.maxSegments() > 0 ? geometry.maxSegments() : Integer.MAX_VALUE;
        long fit = 0;
        for (int i = vector.rangeAt(fromByte); fit < length && i < vector.count(); i++) {
            long rest = Math.min(restOf(vector, i, fromByte), length - fit);
            while (rest > 0) {
                if (left-- == 0) {
                    return fit;
                }
                long piece = Math.min(rest, longest);
                fit += piece;
                rest -= piece;
            }
        }
        return fit;
    }

    /// Bytes of range `i` that are not before byte `fromByte` of the vector.
    private static long restOf(IoVector vector, int i, long fromByte) {
        return vector.length(i) - Math.max(0, fromByte - vector.start(i));
    }

    /// Appends the bytes to `to` in ranges of the allowed length.
    static void addSlice(IoVector to, IoVector from, long fromByte, long length, BdevGeometry geometry) {
        if (geometry.maxSegmentSize() == 0) {
            to.addSlice(from, fromByte, length);
            return;
        }
        long done = 0;
        for (int i = from.rangeAt(fromByte); done < length; i++) {
            long rest = Math.min(restOf(from, i, fromByte), length - done);
            while (rest > 0) {
                long piece = Math.min(rest, geometry.maxSegmentSize());
                to.addSlice(from, fromByte + done, piece);
                done += piece;
                rest -= piece;
            }
        }
    }
}
