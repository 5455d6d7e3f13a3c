package io.spindrift.test.nvme;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.TransportId;
import io.spindrift.sock.Sockets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// An NVMe driver with a reactor of its own, on core 1 if there is one, and what it logs.
final class DriverFixture implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());
    final Reactors reactors;
    final Memory memory;
    final NvmeDriver driver;
    /// Whose the I/O queues are.
    final IoThread thread;

    DriverFixture() {
        int core = Runtime.getRuntime().availableProcessors() > 1 ? 1 : 0;
        reactors = Reactors.start(ReactorOptions.of("driver", CpuMask.of(core)));
        memory = new Memory(new MemoryOptions(false, 64), reactors);
        ModuleLayer layer = DriverFixture.class.getModule().getLayer();
        driver = NvmeDriver.load(new DriverContext(reactors, memory, Sockets.load(reactors, log, layer), log), layer);
        thread = reactors.createThread("io", CpuMask.of(core));
    }

    NvmeController connect(int port) throws Exception {
        return connect(port, ControllerOptions.defaults(), ControllerListener.IGNORE);
    }

    NvmeController connect(int port, ControllerOptions options, ControllerListener listener) throws Exception {
        return driver.connect(TransportId.tcp("127.0.0.1", Integer.toString(port),
                io.spindrift.test.nvmf.LiveTarget.NQN), options, listener);
    }

    List<String> log() throws InterruptedException {
        log.flush();
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public void close() {
        driver.close();
        reactors.close();
        memory.close();
        log.close();
    }
}
