package io.spindrift.test.guest;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Reads and writes of a namespace, 8 at a time: written with a pattern that depends on the place, read back and compared.
/// Data are laid out in turn as a page, as many pages, as ranges that meet within pages, and in memory that the device cannot
/// reach.
///
/// What says nothing else runs on the queue pair's thread.
final class PcieWorkload implements AutoCloseable {
    private static final int DEPTH = 8;
    private static final int LARGEST_BLOCKS = 256;
    private static final long PATIENCE_SECONDS = 300;

    private final Memory memory;
    private final QueuePair queue;
    private final NvmeNamespace namespace;
    private final int blockSize;
    private final MemoryRegion region;
    private final Slot[] slots = new Slot[DEPTH];
    private final Random random = new Random(1);
    private int left;
    private int running;
    private int verified;
    private int aborted;
    private boolean tolerant;
    private CompletableFuture<Integer> ended = new CompletableFuture<>();

    /// One command at a time, with places of its own on the medium.
    private final class Slot {
        private final int index;
        private final IoVector data = new IoVector(4);
        private final MemorySegment unreached = Arena.ofShared().allocate((long) LARGEST_BLOCKS * blockSize);
        private long lba;
        private int blocks;
        private boolean reading;

        Slot(int index) {
            this.index = index;
        }

        void layOut(int shape) {
            long base = index * 2L * LARGEST_BLOCKS * blockSize;
            long bytes = (long) blocks * blockSize;
            data.clear();
            switch (shape) {
                case 0 -> data.add(region, base, bytes);
                case 1 -> data.add(region, base + 1028, bytes);
                case 2 -> {
                    data.add(region, base + 12, bytes / 2);
                    data.add(region, base + (long) LARGEST_BLOCKS * blockSize + 20, bytes - bytes / 2);
                }
                default -> data.add(unreached, 0, bytes);
            }
        }

        void write() {
            int shape = random.nextInt(4);
            blocks = 1 + random.nextInt(shape == 0 ? 8 : LARGEST_BLOCKS);
            long places = namespace.blocks() / DEPTH;
            lba = index * places + random.nextLong(places - blocks);
            layOut(shape);
            fill();
            reading = false;
            submit(queue.acquire().write(namespace.nsid(), lba, blocks, 0, data));
        }

        private void read() {
            layOut(random.nextInt(4));
            data.fill((byte) 0);
            reading = true;
            submit(queue.acquire().read(namespace.nsid(), lba, blocks, 0, data));
        }

        private void submit(NvmeRequest request) {
            if (!request.submit(this::completed)) {
                request.release();
                aborted++;
                next(false);
            }
        }

        private void completed(NvmeRequest request) {
            int status = request.status();
            request.release();
            if (status != Status.SUCCESS) {
                if (!tolerant || status != GenericStatus.ABORTED_SQ_DELETION) {
                    ended.completeExceptionally(new IllegalStateException(
                            "LBA " + lba + ": " + Status.text(status, false)));
                }
                aborted++;
                next(false);
            } else if (!reading) {
                read();
            } else {
                compare();
                verified++;
                next(queue.connected());
            }
        }

        /// After a verified round another follows.
        private void next(boolean more) {
            running--;
            if (more && left > 0) {
                start(this);
            } else if (running == 0) {
                ended.complete(verified);
            }
        }

        private void fill() {
            for (int i = 0; i < data.count(); i++) {
                for (long at = 0; at < data.length(i); at += 4) {
                    data.segment(i).set(ValueLayout.JAVA_INT_UNALIGNED, data.offset(i) + at,
                            pattern(data.start(i) + at));
                }
            }
        }

        private void compare() {
            for (int i = 0; i < data.count(); i++) {
                for (long at = 0; at < data.length(i); at += 4) {
                    int found = data.segment(i).get(ValueLayout.JAVA_INT_UNALIGNED, data.offset(i) + at);
                    if (found != pattern(data.start(i) + at)) {
                        ended.completeExceptionally(new IllegalStateException("LBA " + lba + " byte "
                                + (data.start(i) + at) + ": " + found));
                    }
                }
            }
        }

        private int pattern(long at) {
            return (int) ((lba * blockSize + at) * 0x9e3779b1L);
        }
    }

    /// On a control thread.
    PcieWorkload(Memory memory, QueuePair queue, NvmeNamespace namespace) {
        this.memory = memory;
        this.queue = queue;
        this.namespace = namespace;
        this.blockSize = namespace.format().dataSize();
        this.region = memory.allocate("workload", 2L * DEPTH * LARGEST_BLOCKS * blockSize);
        for (int i = 0; i < DEPTH; i++) {
            slots[i] = new Slot(i);
        }
    }

    private void start(Slot slot) {
        left--;
        running++;
        slot.write();
    }

    private void startAll(int rounds, boolean mayBeAborted) {
        left = rounds;
        verified = 0;
        aborted = 0;
        tolerant = mayBeAborted;
        ended = new CompletableFuture<>();
        for (Slot slot : slots) {
            start(slot);
        }
    }

    // ---- on a control thread ----------------------------------------------------------------------------------

    /// Runs so many rounds, and returns how many were verified.
    int writeAndVerify(int rounds) throws Exception {
        queue.thread().run(() -> startAll(rounds, false));
        return ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /// Runs until the controller aborts what it has.
    void begin() {
        queue.thread().run(() -> startAll(Integer.MAX_VALUE, true));
    }

    /// Waits for the end of what [#begin] began: every command has ended, with success or aborted.
    String end() throws Exception {
        int whole = ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return (whole > 0 ? "some" : "none") + " verified, " + aborted + " aborted";
    }

    @Override
    public void close() {
        memory.free(region);
    }
}
