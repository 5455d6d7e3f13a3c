package io.spindrift.bdev.nvme;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Opcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spi.TransportQueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Completes commands in the next turn, as its [FakePort] says.
final class FakeQueuePair extends TransportQueuePair implements PollFunction {
    private final FakePort port;
    private final QueuePair owner;
    private final MemorySegment commands;
    /// A ring of those that have not ended.
    private final NvmeRequest[] pending;
    private int head;
    private int tail;
    private Poller poller;
    /// The Asynchronous Event Request that the controller has, or null.
    private NvmeRequest held;

    FakeQueuePair(FakePort port, QueuePair owner, int requests) {
        this.port = port;
        this.owner = owner;
        this.commands = Arena.ofAuto().allocate((long) requests * SubmissionQueueEntry.SIZE, 64);
        this.pending = new NvmeRequest[Integer.highestOneBit(requests) << 1];
    }

    QueuePair owner() {
        return owner;
    }

    @Override
    public void connect(long limitMillis) {
        if (owner.qid() == 0) {
            port.requireReachable();
        } else {
            port.requireQueue();
        }
        port.connections++;
        owner.thread().run(() -> poller = owner.thread().addPoller("fake_nvme", this));
        port.live.add(this);
    }

    @Override
    public boolean connected() {
        return poller != null;
    }

    @Override
    public void disconnect() {
        port.live.remove(this);
        owner.thread().callIfAlive(() -> {
            if (poller != null) {
                poller.unregister();
                poller = null;
            }
            abortAll();
        });
    }

    /// Ends the Asynchronous Event Request.
    void event(int dw0) {
        NvmeRequest request = held;
        if (request != null) {
            held = null;
            owner.complete(request, Status.SUCCESS, dw0, 0);
        }
    }

    private void abortAll() {
        if (held != null) {
            NvmeRequest request = held;
            held = null;
            owner.abort(request);
        }
        while (head != tail) {
            owner.abort(take());
        }
    }

    @Override
    public void close() {
        // memory goes by itself
    }

    @Override
    public MemorySegment commands() {
        return commands;
    }

    @Override
    public long commandAt(int index) {
        return (long) index * SubmissionQueueEntry.SIZE;
    }

    @Override
    public void submit(NvmeRequest request) {
        if (owner.qid() == 0 && SubmissionQueueEntry.opc(request.command(),
                request.commandAt()) == AdminOpcode.ASYNC_EVENT_REQUEST) {
            held = request;
            return;
        }
        pending[tail] = request;
        tail = tail + 1 & pending.length - 1;
    }

    private NvmeRequest take() {
        NvmeRequest request = pending[head];
        head = head + 1 & pending.length - 1;
        return request;
    }

    private NvmeRequest takeLast() {
        tail = tail - 1 & pending.length - 1;
        return pending[tail];
    }

    @Override
    public boolean readyToSleep() {
        return head == tail || port.silent;
    }

    @Override
    public int poll() {
        int count = 0;
        if (owner.qid() != 0 && port.silent) {
            return 0;
        }
        int waiting = tail - head & pending.length - 1;
        for (; count < waiting; count++) {
            NvmeRequest request = port.backwards && owner.qid() != 0 ? takeLast() : take();
            if (owner.qid() == 0) {
                owner.complete(request, Status.SUCCESS, answer(request), request.dataBytes());
            } else {
                port.ioCommands++;
                Integer status = port.statuses.isEmpty() ? null : port.statuses.poll();
                owner.complete(request, status == null ? Status.SUCCESS : status, 0, request.dataBytes());
            }
        }
        return count;
    }

    private int answer(NvmeRequest request) {
        IoVector data = request.data();
        MemorySegment page = MemorySegment.ofArray(new byte[(int) request.dataBytes()]);
        int dw0 = port.answer(request.command(), request.commandAt(), page);
        if (data != null && request.transfer() == Opcode.CONTROLLER_TO_HOST) {
            data.copyFrom(page, 0, 0, page.byteSize());
        }
        return dw0;
    }

    @Override
    public void fail(String reason) {
        owner.failed(reason);
        abortAll();
    }
}
