package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.XorShift;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What a verifying job writes and expects to read: data that no two (block, pass, run) have in common.
///
/// ```
///   word 0        word 1                  word 2 ... last of the block
///   block number  pass << 32 | run        template[i] ^ key(block, pass, run)
/// ```
/// Every word is predicted, so that a flipped bit, a block of another place (misplaced), of an earlier pass (stale) or of
/// an earlier run, and one that is half old (torn) differ somewhere. The first two words are in clear, to tell which.
/// One thread; [#fill] and [#mismatch] allocate nothing.
final class BlockPattern {
    private static final int HEADER_WORDS = 2;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private final int words;
    private final long stride;
    private final long run;
    private final long[] template;

    /// Whether there is a pattern of this length.
    static boolean fits(int patternBytes) {
        return patternBytes >= HEADER_WORDS * Long.BYTES && patternBytes % Long.BYTES == 0;
    }

    /// For the first `patternBytes` of blocks that lie `stride` bytes apart, for which it must fit. `run` tells runs
    /// apart.
    BlockPattern(int stride, int patternBytes, long run) {
        if (!fits(patternBytes)) {
            throw new IllegalArgumentException("patternBytes=" + patternBytes + " must be a multiple of " + Long.BYTES
                    + " and at least " + HEADER_WORDS * Long.BYTES);
        }
        this.stride = stride;
        this.words = patternBytes / Long.BYTES;
        this.run = run & 0xffff_ffffL;
        this.template = new long[words];
        XorShift random = new XorShift(0x5851f42d4c957f2dL);
        for (int i = 0; i < words; i++) {
            template[i] = random.next();
        }
    }

    private long key(long block, long pass) {
        long x = block * 0x9e3779b97f4a7c15L + pass * 0xc2b2ae3d27d4eb4fL + run * 0x165667b19e3779f9L;
        x ^= x >>> 32;
        return x * 0xd6e8feb86659fd93L;
    }

    private long header(long pass) {
        return pass << 32 | run;
    }

    /// Writes `blocks` blocks from byte `at` of `memory`, the first being `firstBlock`, for the pass `pass`.
    void fill(MemorySegment memory, long at, int blocks, long firstBlock, long pass) {
        for (int b = 0; b < blocks; b++) {
            fillBlock(memory, at + b * stride, firstBlock + b, pass);
        }
    }

    private void fillBlock(MemorySegment memory, long at, long block, long pass) {
        long key = key(block, pass);
        long[] source = template;
        for (int i = HEADER_WORDS; i < source.length; i++) {
            memory.set(WORD, at + ((long) i << 3), source[i] ^ key);
        }
        memory.set(WORD, at, block);
        memory.set(WORD, at + Long.BYTES, header(pass));
    }

    /// Compares the same blocks with what [#fill] would write. Returns -1 if all are as expected, else the index of the
    /// first block that is not.
    int mismatch(MemorySegment memory, long at, int blocks, long firstBlock, long pass) {
        for (int b = 0; b < blocks; b++) {
            if (differs(memory, at + b * stride, firstBlock + b, pass)) {
                return b;
            }
        }
        return -1;
    }

    private boolean differs(MemorySegment memory, long at, long block, long pass) {
        long key = key(block, pass);
        long[] source = template;
        long difference = memory.get(WORD, at) ^ block | memory.get(WORD, at + Long.BYTES) ^ header(pass);
        for (int i = HEADER_WORDS; i < source.length; i++) {
            difference |= memory.get(WORD, at + ((long) i << 3)) ^ source[i] ^ key;
        }
        return difference != 0;
    }

    /// Says what is wrong with one block, which is at byte `at` of `memory`: for the user, after a mismatch.
    String explain(MemorySegment memory, long at, long block, long pass) {
        long foundBlock = memory.get(WORD, at);
        long foundHeader = memory.get(WORD, at + Long.BYTES);
        long foundPass = foundHeader >>> 32;
        boolean ours = (foundHeader & 0xffff_ffffL) == run;
        if (ours && foundBlock != block && !differs(memory, at, foundBlock, foundPass)) {
            return "it holds the data of block " + foundBlock + ", pass " + foundPass + " (misplaced)";
        }
        if (ours && foundBlock == block && foundPass != pass && !differs(memory, at, block, foundPass)) {
            return "it holds its data of pass " + foundPass + " instead of pass " + pass + " (a write was lost)";
        }
        return explainWords(memory, at, block, pass);
    }

    private String explainWords(MemorySegment memory, long at, long block, long pass) {
        int wrongWords = 0;
        int wrongBits = 0;
        int first = -1;
        long found = 0;
        long expected = 0;
        for (int i = 0; i < words; i++) {
            long word = memory.get(WORD, at + ((long) i << 3));
            long right = switch (i) {
                case 0 -> block;
                case 1 -> header(pass);
                default -> template[i] ^ key(block, pass);
            };
            if (word != right) {
                wrongWords++;
                wrongBits += Long.bitCount(word ^ right);
                if (first < 0) {
                    first = i;
                    found = word;
                    expected = right;
                }
            }
        }
        return String.format("%d bits in %d of its %d words differ, first at byte %d: %016x instead of %016x",
                wrongBits,
                wrongWords, words, first * Long.BYTES, found, expected);
    }
}
