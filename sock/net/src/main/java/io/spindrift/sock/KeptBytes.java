package io.spindrift.sock;

import java.lang.foreign.MemorySegment;

/// What arrived on a socket and its consumer did not take: blocks of a [BlockPool], oldest first.
final class KeptBytes {
    /// A piece of memory and the bytes in it that are not consumed: `[start, end)`.
    static final class Block {
        final MemorySegment memory;
        int start;
        int end;
        Block next;

        Block(MemorySegment memory) {
            this.memory = memory;
        }
    }

    private final BlockPool pool;
    private Block head;
    private Block tail;

    KeptBytes(BlockPool pool) {
        this.pool = pool;
    }

    boolean isEmpty() {
        return head == null;
    }

    /// The oldest block; there must be one.
    Block first() {
        return head;
    }

    /// Copies `length` bytes to the end. False if there is no memory for them; then some may be missing.
    boolean append(MemorySegment source, long offset, long length) {
        long from = offset;
        long left = length;
        while (left > 0) {
            if (tail == null || tail.end == BlockPool.BLOCK_BYTES) {
                Block block = pool.take();
                if (block == null) {
                    return false;
                }
                link(block);
            }
            int part = (int) Math.min(left, BlockPool.BLOCK_BYTES - tail.end);
            MemorySegment.copy(source, from, tail.memory, tail.end, part);
            tail.end += part;
            from += part;
            left -= part;
        }
        return true;
    }

    private void link(Block block) {
        if (tail == null) {
            head = block;
        } else {
            tail.next = block;
        }
        tail = block;
    }

    /// Forgets the first `length` bytes, all of the first block.
    void consume(long length) {
        head.start += (int) length;
        if (head.start == head.end) {
            dropFirst();
        }
    }

    private void dropFirst() {
        Block block = head;
        head = block.next;
        if (head == null) {
            tail = null;
        }
        pool.give(block);
    }

    void clear() {
        while (head != null) {
            dropFirst();
        }
    }
}
