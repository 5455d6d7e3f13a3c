package io.spindrift.nvme.tcp;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.CommandResult;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.TransportId;
import io.spindrift.sock.Sockets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A driver for a [ScriptedTarget], and what it is told.
final class Host implements AutoCloseable {
    static final String NQN = "nqn.2014-08.org.example:scripted";
    /// Around the data of each I/O.
    private static final long GUARD = 4096;
    private static final byte GUARD_BYTE = 0x5a;

    final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    final Reactors reactors = Reactors.start(ReactorOptions.of("host", CpuMask.of(0)));
    final Memory memory = new Memory(new MemoryOptions(false, 64), reactors);
    final NvmeDriver driver;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());

    Host() {
        ModuleLayer layer = Host.class.getModule().getLayer();
        driver = NvmeDriver.load(new DriverContext(reactors, memory, Sockets.load(reactors, log, layer), log), layer);
    }

    NvmeController connect(ScriptedTarget target) throws Exception {
        return connect(target, ControllerOptions.defaults());
    }

    NvmeController connect(ScriptedTarget target, ControllerOptions options) throws Exception {
        return driver.connect(TransportId.tcp("127.0.0.1", Integer.toString(target.port()), NQN), options,
                new ControllerListener() {
                    @Override
                    public void failed(NvmeController controller, String reason) {
                        failures.add(reason);
                    }
                });
    }

    QueuePair queue(NvmeController controller) throws Exception {
        return controller.connectQueuePair(reactors.appThread(), QueuePairListener.IGNORE);
    }

    List<String> log() throws InterruptedException {
        log.flush();
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /// A read of blocks into the middle of memory of which the rest must stay as it is.
    CommandResult read(QueuePair queue, int blocks) {
        return guarded(blocks * ScriptedTarget.BLOCK,
                (vector) -> queue.execute(request -> request.read(1, 0, blocks, 0, vector)));
    }

    /// A write, likewise.
    CommandResult write(QueuePair queue, int blocks) {
        return guarded(blocks * ScriptedTarget.BLOCK,
                (vector) -> queue.execute(request -> request.write(1, 0, blocks, 0, vector)));
    }

    private interface Io {
        CommandResult run(IoVector vector);
    }

    private CommandResult guarded(long bytes, Io io) {
        MemoryRegion region = memory.allocate("test", bytes + 2 * GUARD);
        region.segment().fill(GUARD_BYTE);
        IoVector vector = new IoVector(1);
        vector.set(region, GUARD, bytes);
        CommandResult result = io.run(vector);
        assertGuard(region.segment(), 0, GUARD);
        assertGuard(region.segment(), GUARD + bytes, GUARD);
        memory.free(region);
        return result;
    }

    private static void assertGuard(MemorySegment segment, long from, long length) {
        for (long i = 0; i < length; i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, from + i) != GUARD_BYTE) {
                throw new AssertionError("byte " + (from + i) + ", outside the request's data, was written");
            }
        }
    }

    @Override
    public void close() {
        driver.close();
        reactors.close();
        memory.close();
        log.close();
        if (reactors.exceptionCount() != 0) {
            throw new AssertionError(reactors.exceptionCount() + " exceptions have reached a reactor");
        }
    }
}
