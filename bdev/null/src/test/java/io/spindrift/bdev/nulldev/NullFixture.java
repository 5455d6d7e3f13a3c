package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.time.Clock;
import java.util.function.BiPredicate;

/// A small application on one core: the block layer, the null module and its RPCs.
final class NullFixture implements AutoCloseable {
    final Reactors reactors = Reactors.start(ReactorOptions.of("null-test", CpuMask.of(0)));
    final Memory memory = new Memory(MemoryOptions.DEFAULT, reactors);
    private final BufferPools pools = new BufferPools(memory, BufferPoolOptions.DEFAULT);
    final Notifications notifications = new Notifications();
    final RpcRegistry rpc = new RpcRegistry();
    final BdevRegistry registry;
    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
    private final NullBdevModule module = new NullBdevModule();

    NullFixture() {
        registry = new BdevRegistry(reactors, notifications, memory, pools, BdevOptions.DEFAULT);
        rpc.register(module.rpcs());
        module.init(new BdevModuleContext(registry, reactors, memory, log));
        registry.add(module);
        rpc.enter(RpcState.RUNTIME);
    }

    /// Calls a method with parameters in JSON, apostrophes for quotation marks; the result as compact JSON.
    String call(String method, String params) {
        return Json.compact(rpc.dispatch(method, Json.parse(params.replace('\'', '"'))));
    }

    /// The parameters that `save_config` writes for a bdev, apostrophes for quotation marks.
    String saved(String name) {
        Bdev bdev = registry.get(name);
        ConfigEntry entry = bdev.backend().config(bdev).getFirst();
        return Json.compact(Json.tree(entry.params())).replace('"', '\'');
    }

    /// Opens a bdev, submits one I/O on the application's thread, and returns its status.
    long run(String name, BiPredicate<BdevChannel, BdevCompletion> submit) throws InterruptedException {
        IoThread thread = reactors.appThread();
        BdevDescriptor descriptor = registry.open(name, true, thread, BdevEvents.IGNORE);
        BdevChannel channel = thread.call(descriptor::channel);
        long status = thread.callAsync(reply -> {
            if (!submit.test(channel, io -> reply.complete(io.status()))) {
                reply.fail(new AssertionError("no pooled I/O"));
            }
        });
        thread.run(channel::release);
        descriptor.closeAndWait();
        return status;
    }

    @Override
    public void close() {
        reactors.close();
        memory.close();
        log.close();
    }
}
