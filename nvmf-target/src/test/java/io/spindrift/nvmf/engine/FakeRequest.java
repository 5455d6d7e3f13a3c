package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A command whose completion a test looks at.
final class FakeRequest extends Request {
    /// Where its data are, if it has some.
    MemorySegment buffer = MemorySegment.NULL;
    private int borrowed;
    boolean ended;
    long result;
    /// What goes wrong as it is answered, or null.
    RuntimeException fault;

    FakeRequest() {
        super(Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE, Long.BYTES), 0, 1);
    }

    /// With `bytes` of data.
    FakeRequest data(MemorySegment segment) {
        buffer = segment;
        data.add(segment, 0, segment.byteSize());
        return this;
    }

    MemorySegment entry() {
        return sqe;
    }

    /// As a transport begins it.
    void start(QueuePair queue) {
        begin(queue);
        if (borrowed > 0 && queue.mayBorrow(this)) {
            borrow(borrowed, 2);
        }
    }

    /// Without buffers, for a device that lends its memory in up to 2 ranges.
    FakeRequest borrowing(int bytes) {
        borrowed = bytes;
        return this;
    }

    /// What is sent to the host now.
    List<MemorySegment> sent() {
        List<MemorySegment> ranges = new ArrayList<>();
        for (int i = 0; i < toHost().count(); i++) {
            ranges.add(toHost().segment(i).asSlice(toHost().offset(i), toHost().length(i)));
        }
        return ranges;
    }

    /// All is sent.
    void free() {
        forget();
    }

    @Override
    protected void obtainBuffers() {
        data(Arena.ofAuto().allocate(borrowed, Long.BYTES));
        queue().execute(this);
    }

    @Override
    protected void respond() {
        ended = true;
        if (fault != null) {
            throw fault;
        }
        MemorySegment cqe = Arena.ofAuto().allocate(16, Long.BYTES);
        writeCompletion(cqe, 0);
        result = CompletionQueueEntry.result(cqe, 0) & 0xffff_ffffL;
        ((FakeQueuePair) queue()).requests.remove(this);
    }
}
