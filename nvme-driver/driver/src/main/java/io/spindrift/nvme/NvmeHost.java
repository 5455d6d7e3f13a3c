package io.spindrift.nvme;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.sock.Sockets;

/// A driver with all that it needs, for programs that are no [io.spindrift.framework.app.Application].
///
/// ```java
/// try (NvmeHost host = NvmeHost.start("copy", CpuMask.of(0));
///         NvmeController controller = host.connect(TransportId.parse("trtype:TCP traddr:192.0.2.1 trsvcid:4420 subnqn:..."))) {
///     QueuePair queue = controller.connectQueuePair(host.thread(), QueuePairListener.IGNORE);
///     ...
/// ```
/// On the control path: any thread but a reactor's.
public final class NvmeHost implements AutoCloseable {
    private static final long THREAD_LIMIT_NANOS = 2_000_000_000L;

    private final Log log;
    private final Reactors reactors;
    private final Memory memory;
    private final NvmeDriver driver;

    private NvmeHost(String name, CpuMask cores) {
        this.log = Log.standard(name);
        this.reactors = Reactors.start(ReactorOptions.of(name, cores));
        this.memory = new Memory(MemoryOptions.DEFAULT, reactors);
        ModuleLayer layer = NvmeHost.class.getModule().isNamed()
                ? NvmeHost.class.getModule().getLayer()
                : ModuleLayer.boot();
        this.driver = NvmeDriver.load(new DriverContext(reactors, memory, Sockets.load(reactors, log, layer), log),
                layer);
    }

    /// A host for the program `name`, whose reactors run on `cores`.
    public static NvmeHost start(String name, CpuMask cores) {
        return new NvmeHost(name, cores);
    }

    public NvmeDriver driver() {
        return driver;
    }

    /// Connects to a controller with default options.
    ///
    /// @throws NvmeException saying what failed
    public NvmeController connect(TransportId id) throws Exception {
        return driver.connect(id, ControllerOptions.defaults(), ControllerListener.IGNORE);
    }

    /// Memory that controllers can reach.
    public Memory memory() {
        return memory;
    }

    public Reactors reactors() {
        return reactors;
    }

    /// The thread that is there from the start, on the first core.
    public IoThread thread() {
        return reactors.appThread();
    }

    /// Closes all controllers, frees all memory, and ends the threads.
    @Override
    public void close() {
        driver.close();
        reactors.stop(THREAD_LIMIT_NANOS);
        memory.close();
        log.close();
    }
}
