package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
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
import java.lang.foreign.Arena;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// I/O of several MiB, of which each turn of the reactor does one, on a reactor that the test drives turn by turn.
class LongIoTest {
    private static final String PLAIN = "";
    private static final String METADATA = ", 'md_size': 16";
    private static final String SEPARATE = ", 'md_size': 8, 'dif_type': 1";
    private static final String INTERLEAVED = ", 'md_size': 8, 'md_interleave': true, 'dif_type': 1";
    private static final int MIB = 1 << 20;
    private static final int BLOCKS = 8 * MIB / 512;

    private final ManualReactor reactor = new ManualReactor(1);
    private final IoThread thread = reactor.reactors().appThread();
    private final Memory memory = new Memory(MemoryOptions.DEFAULT, reactor.reactors());
    private final Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
    private final Arena arena = Arena.ofShared();
    private final Random random = new Random(3);
    private final List<String> ended = new ArrayList<>();
    private Bdev bdev;
    private BdevChannel channel;

    private interface Submit {
        boolean to(BdevChannel channel, BdevCompletion completion);
    }

    @AfterEach
    void close() {
        reactor.close();
        memory.close();
        log.close();
        arena.close();
    }

    private void create(String more, long numBlocks) {
        RpcRegistry rpc = new RpcRegistry();
        BdevRegistry registry = new BdevRegistry(reactor.reactors(), new Notifications(), memory,
                new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
        MallocBdevModule module = new MallocBdevModule();
        rpc.register(module.rpcs());
        module.init(new BdevModuleContext(registry, reactor.reactors(), memory, log));
        rpc.enter(RpcState.RUNTIME);
        rpc.dispatch("bdev_malloc_create",
                Json.parse(("{'name': 'M', 'block_size': 512, 'num_blocks': " + numBlocks + more + "}")
                        .replace('\'', '"')));
        bdev = registry.get("M");
        BdevDescriptor descriptor = registry.open("M", true, thread, BdevEvents.IGNORE);
        channel = reactor.run(thread, descriptor::channel);
    }

    private void submit(String name, Submit submit) {
        BdevCompletion completion = io -> ended.add(name + " " + BdevStatus.text(io.status()));
        reactor.run(thread, () -> assertTrue(submit.to(channel, completion)));
    }

    /// Does one I/O; returns in how many turns.
    private int turns(String wanted, Submit submit) {
        ended.clear();
        submit("it", submit);
        int turns = 0;
        while (ended.isEmpty()) {
            reactor.stepAll();
            turns++;
        }
        assertEquals(List.of("it " + wanted), ended);
        return turns;
    }

    /// The turns of `bytes` at 1 MiB each. That of the submit is not counted; completing may take one more.
    private static void assertTurns(long bytes, int turns) {
        long wanted = Math.ceilDiv(bytes, (long) MIB);
        assertTrue(turns >= wanted - 1 && turns <= wanted + 1, turns + " turns, " + wanted + " MiB");
    }

    /// `blocks` random blocks for address `first`, in many ranges, with protection information if it is interleaved.
    private byte[] content(long first, int blocks) {
        byte[] bytes = new byte[blocks * bdev.blockSize()];
        random.nextBytes(bytes);
        Optional<DifFormat> dif = DifFormat.of(bdev.geometry()).filter(DifFormat::interleaved);
        if (dif.isEmpty()) {
            return bytes;
        }
        IoVector vector = Vectors.of(bytes, arena);
        Dif generator = new Dif(dif.get());
        generator.tags(first, 0, 0);
        generator.generate(vector, blocks);
        return Vectors.bytes(vector);
    }

    private IoVector scattered(byte[] bytes) {
        return Vectors.scatter(bytes, 70_000, random, arena);
    }

    private byte[] read(long first, int blocks) {
        IoVector vector = scattered(new byte[blocks * bdev.blockSize()]);
        turns("success", (to, done) -> to.read(vector, first, blocks, done));
        return Vectors.bytes(vector);
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, METADATA, SEPARATE, INTERLEAVED})
    void movesABoundedAmountInEachTurn(String more) {
        create(more, BLOCKS + 100);
        byte[] content = content(77, BLOCKS);
        IoVector written = scattered(content);
        long bytes = (long) BLOCKS * (512 + bdev.geometry().metadataSize());
        boolean checked = bdev.geometry().difType() != 0;
        assertTurns(checked ? 2 * bytes : bytes,
                turns("success", (to, done) -> to.write(written, 77, BLOCKS, done)));
        IoVector read = scattered(new byte[content.length]);
        assertTurns(bytes, turns("success", (to, done) -> to.read(read, 77, BLOCKS, done)));
        assertArrayEquals(content, Vectors.bytes(read));
        assertTurns(bytes, turns("success", (to, done) -> to.compare(read, 77, BLOCKS, null, done)));
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, METADATA, SEPARATE, INTERLEAVED})
    void letsOtherRequestsPass(String more) {
        create(more, BLOCKS + 100);
        byte[] content = content(0, BLOCKS);
        byte[] one = content(BLOCKS, 1);
        IoVector written = scattered(content);
        IoVector other = Vectors.of(one, arena);
        submit("long", (to, done) -> to.write(written, 0, BLOCKS, done));
        submit("short", (to, done) -> to.write(other, BLOCKS, 1, done));
        reactor.settle();
        assertEquals(List.of("short success", "long success"), ended);
        assertArrayEquals(content, read(0, BLOCKS));
        assertArrayEquals(one, read(BLOCKS, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {PLAIN, SEPARATE, INTERLEAVED})
    void findsADifferenceInTheLastBlock(String more) {
        create(more, BLOCKS);
        byte[] content = content(0, BLOCKS);
        IoVector vector = scattered(content);
        turns("success", (to, done) -> to.write(vector, 0, BLOCKS, done));
        content[(BLOCKS - 1) * bdev.blockSize()] ^= 1;
        IoVector different = scattered(content);
        // Miscompare: status code type 2h, code 85h.
        turns("NVMe status 02h/85h", (to, done) -> to.compare(different, 0, BLOCKS, null, done));
    }

    /// End-to-end Guard Check Error: status code type 2h, code 82h.
    @Test
    void storesNothingOfAWriteWhoseLastBlockIsRefused() {
        create(INTERLEAVED, BLOCKS);
        byte[] content = content(0, BLOCKS);
        content[(BLOCKS - 1) * 520] ^= 1;
        IoVector vector = scattered(content);
        turns("NVMe status 02h/82h", (to, done) -> to.write(vector, 0, BLOCKS, done));
        byte[] nothing = new byte[520];
        Arrays.fill(nothing, 512, 520, (byte) 0xFF);
        assertArrayEquals(nothing, read(0, 1));
        assertArrayEquals(nothing, read(BLOCKS - 2, 1));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 100", "0, 4000", "1, 0", "100, 0", "4000, 0"})
    void copiesOntoItself(int source, int target) {
        for (String more : List.of(PLAIN, SEPARATE)) {
            create(more, BLOCKS + 4000);
            byte[] content = content(0, BLOCKS + 4000);
            IoVector vector = scattered(content);
            turns("success", (to, done) -> to.write(vector, 0, BLOCKS + 4000, done));
            assertTurns((long) BLOCKS * (512 + bdev.geometry().metadataSize()),
                    turns("success", (to, done) -> to.copy(target, source, BLOCKS, done)));
            System.arraycopy(content, source * 512, content, target * 512, BLOCKS * 512);
            assertArrayEquals(content, read(0, BLOCKS + 4000));
        }
    }

    /// 512 Ki blocks a turn: they are only marked.
    @Test
    void marksABoundedNumberOfBlocksInEachTurn() {
        int blocks = 4 * MIB;
        create(INTERLEAVED, blocks);
        byte[] content = content(blocks - 1, 1);
        IoVector vector = Vectors.of(content, arena);
        turns("success", (to, done) -> to.write(vector, blocks - 1, 1, done));
        int turns = turns("success", (to, done) -> to.unmap(0, blocks, done));
        assertTrue(turns >= 7 && turns <= 9, turns + " turns");
        byte[] nothing = new byte[520];
        Arrays.fill(nothing, 512, 520, (byte) 0xFF);
        assertArrayEquals(nothing, read(blocks - 1, 1));
    }

    /// 8 MiB of data and as many of metadata, but for a quarter.
    @Test
    void zeroesSeparateMetadataWithinTheSameBounds() {
        create(", 'md_size': 128", BLOCKS);
        IoVector data = scattered(content(0, BLOCKS));
        byte[] metadata = new byte[BLOCKS * 128];
        random.nextBytes(metadata);
        BdevIoOptions options = new BdevIoOptions().metadata(scattered(metadata));
        turns("success", (to, done) -> to.write(data, 0, BLOCKS, options, done));
        assertTurns((long) BLOCKS * (512 + 128), turns("success", (to, done) -> to.writeZeroes(0, BLOCKS, done)));
        turns("success", (to, done) -> to.read(data, 0, BLOCKS, options, done));
        assertArrayEquals(new byte[BLOCKS * 128], Vectors.bytes(options.metadata()));
        assertArrayEquals(new byte[BLOCKS * 512], Vectors.bytes(data));
    }
}
