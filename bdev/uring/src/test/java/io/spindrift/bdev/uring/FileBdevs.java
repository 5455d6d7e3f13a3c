package io.spindrift.bdev.uring;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorEvents;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// As much of an application as the module needs, on real reactors.
final class FileBdevs {
    /// Submits one I/O; false if there was none to be had.
    interface Submit {
        boolean on(BdevChannel channel, BdevCompletion completion);
    }

    private record Place(BdevDescriptor descriptor, IoThread thread) {}

    final Reactors reactors;
    final BdevRegistry registry;
    final RpcRegistry rpc = new RpcRegistry();
    final UringBdevModule module;
    final Memory memory;
    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
    private final Map<Place, BdevChannel> channels = new HashMap<>();

    FileBdevs(FileCalls calls, int cores) throws Exception {
        this(calls, cores, OwnedRing::new);
    }

    FileBdevs(FileCalls calls, int cores, Supplier<OwnedRing> rings) throws Exception {
        this(calls, cores, rings, ReactorEvents.STDERR);
    }

    FileBdevs(FileCalls calls, int cores, Supplier<OwnedRing> rings, ReactorEvents events) throws Exception {
        int[] numbers = new int[cores];
        for (int core = 0; core < cores; core++) {
            numbers[core] = core;
        }
        reactors = Reactors.start(new ReactorOptions("test", CpuMask.of(numbers), 0, false,
                ReactorOptions.DEFAULT_GRACE_NANOS, events));
        memory = new Memory(new MemoryOptions(false, 8), reactors);
        registry = new BdevRegistry(reactors, new Notifications(), memory,
                new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
        module = new UringBdevModule(calls, rings);
        rpc.register(module.rpcs());
        module.init(new BdevModuleContext(registry, reactors, memory, log));
        registry.add(module);
        rpc.enter(RpcState.RUNTIME);
    }

    Bdev create(Path file, int blockSize) throws Exception {
        return create(new FileSpec(FileSpec.Family.URING, "file" + registry.bdevs().size(), file.toString(), blockSize,
                false, true, Optional.empty(), false));
    }

    Bdev create(FileSpec spec) throws Exception {
        return module.create(spec);
    }

    BdevDescriptor open(Bdev bdev, boolean writable) {
        return registry.open(bdev.name(), writable, reactors.appThread(), BdevEvents.IGNORE);
    }

    /// The channel of `descriptor` on `thread`, until this closes.
    BdevChannel channel(BdevDescriptor descriptor, IoThread thread) {
        return channels.computeIfAbsent(new Place(descriptor, thread), place -> thread.call(descriptor::channel));
    }

    /// Submits on the application's first thread and returns the status.
    long status(BdevDescriptor descriptor, Submit submit) {
        IoThread thread = reactors.appThread();
        BdevChannel channel = channel(descriptor, thread);
        return thread.<Long>callAsync(reply -> {
            if (!submit.on(channel, io -> reply.complete(io.status()))) {
                reply.fail(new IllegalStateException("no I/O left"));
            }
        });
    }

    void close() throws Exception {
        channels.forEach((place, channel) -> place.thread().run(channel::release));
        for (BdevDescriptor descriptor : channels.keySet().stream().map(Place::descriptor).distinct().toList()) {
            descriptor.closeAndWait();
        }
        for (Bdev bdev : registry.bdevs()) {
            registry.unregister(bdev);
        }
        module.close();
        reactors.close();
        memory.close();
        log.close();
    }
}
