package io.spindrift.bdev.malloc;

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
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.time.Clock;

/// A small application on one core: the block layer, the malloc module and its RPCs.
final class MallocFixture implements AutoCloseable {
    final Reactors reactors = Reactors.start(ReactorOptions.of("malloc-test", CpuMask.of(0)));
    final Memory memory = new Memory(MemoryOptions.DEFAULT, reactors);
    final RpcRegistry rpc = new RpcRegistry();
    final BdevRegistry registry = new BdevRegistry(reactors, new Notifications(), memory,
            new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
    final MallocBdevModule module = new MallocBdevModule();
    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());

    MallocFixture() {
        rpc.register(module.rpcs());
        module.init(new BdevModuleContext(registry, reactors, memory, log));
        registry.add(module);
        rpc.enter(RpcState.RUNTIME);
    }

    /// Calls a method with parameters in JSON, apostrophes for quotation marks; the result as compact JSON.
    String call(String method, String params) {
        return Json.compact(rpc.dispatch(method, Json.parse(params.replace('\'', '"'))));
    }

    /// How many regions malloc bdevs have.
    long regions() {
        return memory.stats().regions().stream().filter(region -> region.owner().startsWith("malloc")).count();
    }

    OpenBdev open(String name) {
        return new OpenBdev(registry.open(name, true, reactors.appThread(), BdevEvents.IGNORE));
    }

    @Override
    public void close() {
        reactors.close();
        memory.close();
        log.close();
    }

    /// A channel on the application's thread, used from the test's.
    final class OpenBdev implements AutoCloseable {
        final BdevDescriptor descriptor;
        final IoThread thread = reactors.appThread();
        final BdevChannel channel;

        OpenBdev(BdevDescriptor descriptor) {
            this.descriptor = descriptor;
            this.channel = thread.call(descriptor::channel);
        }

        /// Submits one I/O and waits for its status. `submit` returns what the channel's method does.
        long run(Submit submit) {
            return thread.callAsync(reply -> {
                if (!submit.to(channel, io -> reply.complete(io.status()))) {
                    reply.fail(new AssertionError("no pooled I/O"));
                }
            });
        }

        @Override
        public void close() {
            thread.run(channel::release);
            try {
                descriptor.closeAndWait();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while closing", e);
            }
        }
    }

    /// One of the channel's methods.
    @FunctionalInterface
    interface Submit {
        boolean to(BdevChannel channel, BdevCompletion completion);
    }
}
