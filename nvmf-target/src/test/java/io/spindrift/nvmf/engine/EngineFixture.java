package io.spindrift.nvmf.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevOptions;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvmf.AnaState;
import io.spindrift.nvmf.FakeDisk;
import io.spindrift.nvmf.NamespaceRequest;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.SubsystemOptions;
import io.spindrift.nvmf.TargetFixture;
import io.spindrift.nvmf.TargetOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.util.Optional;

/// A controller with an admin queue on the first core and an I/O queue on the second, over one namespace of a
/// [FakeDisk]: a test gives them commands and drives the reactors.
final class EngineFixture implements AutoCloseable {
    final TargetFixture target;
    final NvmfSubsystem subsystem;
    final FakeDisk disk;
    final FakeQueuePair admin;
    final FakeQueuePair io;
    private final int cntlid;
    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());

    EngineFixture() throws Exception {
        this(SubsystemOptions.DEFAULT);
    }

    /// With a disk that lends these `pieces`.
    EngineFixture(SubsystemOptions options, MemorySegment... pieces) throws Exception {
        this(BdevOptions.DEFAULT, options, pieces);
    }

    /// With settings of the block layer.
    EngineFixture(BdevOptions bdev, SubsystemOptions options, MemorySegment... pieces) throws Exception {
        target = new TargetFixture(TargetOptions.DEFAULT, new TargetEngine(new TargetResources(null, null, log)), bdev);
        subsystem = target.subsystem(TargetFixture.NQN, options);
        disk = target.disk("D0", pieces);
        target.control(() -> {
            subsystem.addNamespace(NamespaceRequest.of("D0"));
            subsystem.allowAnyHost(true);
            subsystem.addListener(FakeQueuePair.LISTEN, Optional.empty(), AnaState.OPTIMIZED);
            return null;
        });
        admin = queue(0);
        cntlid = (int) connect(admin, 0, ConnectData.CNTLID_DYNAMIC).result & 0xffff;
        FakeRequest enable = new FakeRequest();
        PropertyCommand.set(enable.entry(), 0, 1, ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertEquals(0, execute(admin, enable).status());
        io = queue(1);
        connect(io, 1, cntlid);
    }

    private FakeQueuePair queue(int core) {
        return target.manual.run(target.thread(core), () -> new FakeQueuePair(target.group(core), target.transport));
    }

    private FakeRequest connect(FakeQueuePair queue, int qid, int toCntlid) {
        FakeRequest request = new FakeRequest().data(Arena.ofAuto().allocate(ConnectData.SIZE, Long.BYTES));
        ConnectData.CNTLID.set(request.buffer, 0, toCntlid);
        ConnectData.SUBNQN.set(request.buffer, 0, TargetFixture.NQN);
        ConnectData.HOSTNQN.set(request.buffer, 0, TargetFixture.HOST);
        ConnectCommand.write(request.entry(), 0, 1, qid, 32, 0, 0);
        assertEquals(0, execute(queue, request).status());
        return request;
    }

    /// A command, with all of its dwords but 0 and 1 left to the test.
    static FakeRequest command(int opcode, int cid, long nsid) {
        FakeRequest request = new FakeRequest();
        SubmissionQueueEntry.begin(request.entry(), 0, opcode, cid, nsid);
        return request;
    }

    static MemorySegment memory(int bytes) {
        return Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    /// Begins a command.
    FakeRequest start(FakeQueuePair queue, FakeRequest request) {
        target.manual.run(queue.group().thread(), () -> {
            request.start(queue);
            queue.requests.add(request);
            queue.arrived(request);
            queue.execute(request);
            return null;
        });
        return request;
    }

    /// Begins a command and drives the reactors until its end.
    FakeRequest execute(FakeQueuePair queue, FakeRequest request) {
        start(queue, request);
        target.driveUntil(() -> request.ended);
        return request;
    }

    /// Ends the connections and all else.
    @Override
    public void close() {
        for (FakeQueuePair queue : new FakeQueuePair[]{io, admin}) {
            target.manual.run(queue.group().thread(), () -> {
                queue.disconnect();
                return null;
            });
        }
        target.close();
        log.close();
    }
}
