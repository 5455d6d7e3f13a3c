package io.spindrift.bdev.nvme;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.sock.Sockets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/// The module on reactors that the test drives and a clock that it sets, with controllers of a [FakeTransport].
final class NvmeBdevFixture {
    static final long SECOND = 1_000_000_000L;
    private static final long MILLISECOND = 1_000_000L;

    final ManualReactor manual = new ManualReactor(1);
    final Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
    final BdevRegistry registry = new BdevRegistry(manual.reactors(), new Notifications(), memory,
            new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
    final FakeTransport transport = new FakeTransport();
    final IoThread thread = manual.reactors().appThread();
    final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final RpcRegistry rpc = new RpcRegistry();
    private final NvmeBdevModule module = new NvmeBdevModule(List.of(transport));
    private final IoVector all = new IoVector(1);
    private final IoVector data = new IoVector(1);

    NvmeBdevFixture() {
        Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());
        rpc.register(module.rpcs());
        module.init(new BdevModuleContext(registry, manual.reactors(), memory, log,
                List.of(new Sockets(manual.reactors(), log, List.of()))));
        rpc.enter(RpcState.RUNTIME);
        MemoryRegion region = memory.allocate("test", 1 << 20);
        all.set(region, 0, 1 << 20);
        data.set(region, 0, 1 << FakePort.BLOCK_SHIFT);
    }

    /// Memory for `blocks` blocks, 256 at most.
    IoVector vector(int blocks) {
        IoVector vector = new IoVector(1);
        vector.addSlice(all, 0, (long) blocks << FakePort.BLOCK_SHIFT);
        return vector;
    }

    /// Runs `task` on a control thread, and the reactors until it has ended.
    <T> T control(Callable<T> task) throws Exception {
        Future<T> result = manual.reactors().control().submit(task);
        manual.stepUntil(result::isDone);
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /// Calls a method. `params` are JSON with apostrophes for quotation marks.
    JsonNode call(String method, String params) throws Exception {
        return control(() -> rpc.dispatch(method, params.isEmpty() ? null : Json.parse(params.replace('\'', '"'))));
    }

    /// Begins to call a method.
    Future<JsonNode> begin(String method, String params) {
        return manual.reactors().control().submit(() -> rpc.dispatch(method, Json.parse(params.replace('\'', '"'))));
    }

    /// Begins to read a block on `user`, whose channel it is.
    Outcome begin(IoThread user, BdevChannel channel) {
        Outcome outcome = new Outcome();
        manual.run(user, () -> {
            channel.read(data, 3, 1, outcome::completed);
        });
        return outcome;
    }

    /// Attaches the controller at `traddr` as `N`, with more parameters.
    JsonNode attach(String traddr, String more) throws Exception {
        return call("bdev_nvme_attach_controller", "{'name': 'N', 'trtype': 'FAKE', 'traddr': '" + traddr
                + "', 'subnqn': 'nqn.2016-06.io.spdk:fake'" + more + "}");
    }

    /// An open bdev with a channel on [#thread].
    Opened open() {
        return new Opened(registry.open("Nn1", true, thread, BdevEvents.IGNORE));
    }

    /// Passes time and runs the reactors until `condition` holds.
    void until(BooleanSupplier condition) {
        manual.stepUntil(() -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            manual.clock().advance(MILLISECOND / 4);
            return false;
        });
    }

    /// Runs the reactors until `condition` holds, while no time passes.
    void atOnce(BooleanSupplier condition) {
        manual.stepUntil(condition);
    }

    /// Passes time.
    void pass(long nanos) {
        manual.clock().advance(nanos);
    }

    /// How an I/O has ended, or null.
    static final class Outcome {
        Long status;

        private void completed(BdevIo io) {
            status = io.status();
        }
    }

    /// A bdev in use.
    final class Opened implements AutoCloseable {
        private final BdevDescriptor descriptor;
        final BdevChannel channel;

        Opened(BdevDescriptor descriptor) {
            this.descriptor = descriptor;
            this.channel = manual.run(thread, descriptor::channel);
        }

        Bdev bdev() {
            return descriptor.bdev();
        }

        /// Begins to read a block.
        Outcome begin() {
            return NvmeBdevFixture.this.begin(thread, channel);
        }

        /// Begins what `submit` submits.
        Outcome begin(BiConsumer<BdevChannel, BdevCompletion> submit) {
            Outcome outcome = new Outcome();
            manual.run(thread, () -> submit.accept(channel, outcome::completed));
            return outcome;
        }

        /// As [#begin(BiConsumer)], while time passes; its status.
        long complete(BiConsumer<BdevChannel, BdevCompletion> submit) {
            Outcome outcome = begin(submit);
            until(() -> outcome.status != null);
            return outcome.status;
        }

        /// Reads a block while time passes; its status.
        long read() {
            Outcome outcome = begin();
            until(() -> outcome.status != null);
            return outcome.status;
        }

        @Override
        public void close() {
            manual.run(thread, channel::release);
            descriptor.close();
            manual.settle();
        }
    }

    /// Ends all; nobody has a bdev open.
    void close() throws Exception {
        control(() -> {
            registry.unregisterAll();
            module.close();
            return null;
        });
        manual.close();
    }
}
