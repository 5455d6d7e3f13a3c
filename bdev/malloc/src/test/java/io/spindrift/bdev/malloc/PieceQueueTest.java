package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Zeroing 64 MiB that were written, on a reactor that the test drives turn by turn.
class PieceQueueTest {
    private static final int MIB = 1 << 20;
    private static final int DEVICE_MIB = 64;
    private static final int BLOCKS_IN_MIB = MIB / 4096;
    /// 1 MiB a turn.
    private static final int TURNS = DEVICE_MIB;

    private final ManualReactor reactor = new ManualReactor(1);
    private final IoThread thread = reactor.reactors().appThread();
    private final Memory memory = new Memory(MemoryOptions.DEFAULT, reactor.reactors());
    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
    private final IoVector block = new IoVector(1);
    private final List<String> ended = new ArrayList<>();
    private BdevChannel channel;

    @BeforeEach
    void writeIntoEachMebibyte() {
        RpcRegistry rpc = new RpcRegistry();
        BdevRegistry registry = new BdevRegistry(reactor.reactors(), new Notifications(), memory,
                new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
        MallocBdevModule module = new MallocBdevModule();
        rpc.register(module.rpcs());
        module.init(new BdevModuleContext(registry, reactor.reactors(), memory, log));
        rpc.enter(RpcState.RUNTIME);
        rpc.dispatch("bdev_malloc_create", Json.parse("{\"name\": \"M\", \"block_size\": 4096, \"num_blocks\": "
                + DEVICE_MIB * BLOCKS_IN_MIB + "}"));
        BdevDescriptor descriptor = registry.open("M", true, thread, BdevEvents.IGNORE);
        channel = reactor.run(thread, descriptor::channel);
        block.add(memory.allocate("test", 4096), 0, 4096);
        block.fill((byte) 7);
        for (int mebibyte = 0; mebibyte < DEVICE_MIB; mebibyte++) {
            long at = (long) mebibyte * BLOCKS_IN_MIB;
            reactor.run(thread, () -> assertTrue(channel.write(block, at, 1, _ -> {})));
        }
        reactor.settle();
    }

    @AfterEach
    void close() {
        reactor.close();
        memory.close();
        log.close();
    }

    private BdevCompletion note(String name) {
        return io -> ended.add(name + " " + BdevStatus.text(io.status()));
    }

    private BdevCompletion unmapEverything() {
        BdevCompletion completion = note("unmap");
        reactor.run(thread, () -> assertTrue(channel.unmap(0, DEVICE_MIB * BLOCKS_IN_MIB, completion)));
        return completion;
    }

    @Test
    void takesABoundedAmountInEachTurn() {
        unmapEverything();
        int turns = 0;
        while (ended.isEmpty()) {
            reactor.stepAll();
            turns++;
        }
        assertEquals(List.of("unmap success"), ended);
        // The first turn was that of the submit; completing may take one more.
        assertTrue(turns >= TURNS - 2 && turns <= TURNS + 2, turns + " turns");
        reactor.run(thread, () -> assertTrue(channel.read(block, 63L * BLOCKS_IN_MIB, 1, note("read"))));
        reactor.settle();
        IoVector zeros = new IoVector(1);
        zeros.add(memory.allocate("test", 4096), 0, 4096);
        assertEquals(-1, block.mismatch(zeros, 0, 0, 4096));
    }

    @Test
    void letsOtherRequestsPass() {
        unmapEverything();
        reactor.run(thread, () -> assertTrue(channel.read(block, 0, 1, note("read"))));
        reactor.settle();
        assertEquals(List.of("read success", "unmap success"), ended);
    }

    @Test
    void keepsTheOrderOfUnmaps() {
        unmapEverything();
        reactor.run(thread, () -> assertTrue(channel.writeZeroes(0, 1, note("write_zeroes"))));
        reactor.settle();
        assertEquals(List.of("unmap success", "write_zeroes success"), ended);
    }

    /// Command Abort Requested: status code type 0h, code 07h.
    @Test
    void givesUpHalfDone() {
        BdevCompletion unmap = unmapEverything();
        reactor.stepAll();
        reactor.run(thread, () -> assertTrue(channel.abort(unmap, note("abort"))));
        reactor.settle();
        assertEquals(List.of("abort success", "unmap NVMe status 00h/07h"), ended.stream().sorted().toList());
    }

    @Test
    void givesUpOnReset() {
        unmapEverything();
        reactor.run(thread, () -> assertTrue(channel.reset(note("reset"))));
        reactor.settle();
        assertEquals(List.of("unmap NVMe status 00h/07h", "reset success"), ended);
    }
}
