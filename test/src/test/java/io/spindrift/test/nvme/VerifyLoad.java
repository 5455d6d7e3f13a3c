package io.spindrift.test.nvme;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.Reply;
import io.spindrift.nvme.NvmeCompletion;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes patterns to blocks and reads them back, so many at a time, and compares every byte.
final class VerifyLoad {
    private final QueuePair queue;
    private final NvmeNamespace namespace;
    private final int blocks;
    private final int ranges;
    private final MemoryRegion memory;
    private final Slot[] slots;
    private int running;
    private String problem = "";
    private Reply<String> reply;

    /// `depth` I/Os of `blocks` blocks each, whose memory is in `ranges` pieces.
    VerifyLoad(QueuePair queue, NvmeNamespace namespace, Memory owner, int depth, int blocks, int ranges) {
        this.queue = queue;
        this.namespace = namespace;
        this.blocks = blocks;
        this.ranges = ranges;
        long bytes = bytes();
        memory = owner.allocate("verify", depth * bytes);
        slots = new Slot[depth];
        for (int i = 0; i < depth; i++) {
            slots[i] = new Slot(i, i * bytes);
        }
    }

    private long bytes() {
        return (long) blocks * namespace.format().transferSize();
    }

    /// So many rounds of each; returns what went wrong, or nothing. On a control thread.
    String run(int rounds) {
        return queue.thread().callAsync(toBeAnswered -> {
            reply = toBeAnswered;
            running = slots.length;
            for (Slot slot : slots) {
                slot.begin(rounds);
            }
        });
    }

    void close(Memory owner) {
        owner.free(memory);
    }

    private void ended() {
        if (--running == 0) {
            reply.complete(problem);
        }
    }

    private final class Slot implements NvmeCompletion {
        private final int number;
        private final long at;
        private final long lba;
        private final IoVector vector = new IoVector(1);
        private NvmeRequest request;
        private int roundsLeft;
        private boolean reading;

        Slot(int number, long at) {
            this.number = number;
            this.at = at;
            this.lba = (long) number * blocks % (namespace.blocks() - blocks + 1) / blocks * blocks;
            long piece = Math.max(4, bytes() / ranges / 4 * 4);
            for (long done = 0; done < bytes(); done += piece) {
                vector.add(memory, at + done, Math.min(piece, bytes() - done));
            }
        }

        void begin(int rounds) {
            roundsLeft = rounds;
            request = queue.acquire();
            if (request == null) {
                end("no request for slot " + number);
            } else {
                write();
            }
        }

        private byte expected(long offset) {
            return (byte) (number * 31 + roundsLeft * 7 + offset * 13 + (offset >>> 9));
        }

        private void write() {
            MemorySegment segment = memory.segment();
            for (long i = 0; i < bytes(); i++) {
                segment.set(ValueLayout.JAVA_BYTE, at + i, expected(i));
            }
            reading = false;
            submit(request.write(namespace.nsid(), lba, blocks, 0, vector));
        }

        private void read() {
            memory.segment().asSlice(at, bytes()).fill((byte) 0xee);
            reading = true;
            submit(request.read(namespace.nsid(), lba, blocks, 0, vector));
        }

        private void submit(NvmeRequest built) {
            if (!built.submit(this)) {
                end("slot " + number + ": not connected");
            }
        }

        @Override
        public void completed(NvmeRequest ended) {
            if (!ended.succeeded()) {
                end((reading ? "read" : "write") + " of slot " + number + ": " + Status.text(ended.status(), false));
            } else if (!reading) {
                read();
            } else {
                compare();
            }
        }

        private void compare() {
            MemorySegment segment = memory.segment();
            for (long i = 0; i < bytes(); i++) {
                if (segment.get(ValueLayout.JAVA_BYTE, at + i) != expected(i)) {
                    end("slot " + number + ": byte " + i + " is " + segment.get(ValueLayout.JAVA_BYTE, at + i) + " not "
                            + expected(i));
                    return;
                }
            }
            if (--roundsLeft == 0) {
                end("");
            } else {
                write();
            }
        }

        private void end(String what) {
            if (!what.isEmpty() && problem.isEmpty()) {
                problem = what;
            }
            if (request != null) {
                request.release();
                request = null;
            }
            ended();
        }
    }
}
