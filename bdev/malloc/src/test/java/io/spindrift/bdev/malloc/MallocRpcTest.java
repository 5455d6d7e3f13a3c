package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MallocRpcTest {
    private static RpcException refused(MallocFixture application, String params, int code, String... mentioned) {
        long before = application.regions();
        int bdevs = application.registry.bdevs().size();
        RpcException e = assertThrows(RpcException.class, () -> application.call("bdev_malloc_create", params));
        assertEquals(code, e.code(), e.getMessage());
        for (String word : mentioned) {
            assertTrue(e.getMessage().contains(word), e.getMessage());
        }
        assertEquals(before, application.regions());
        assertEquals(bdevs, application.registry.bdevs().size());
        return e;
    }

    @Test
    void createsAndDeletes() {
        try (MallocFixture application = new MallocFixture()) {
            assertEquals("\"M\"", application.call("bdev_malloc_create",
                    "{'name': 'M', 'num_blocks': 16384, 'block_size': 512}"));
            Bdev bdev = application.registry.get("M");
            assertEquals(16384, bdev.numBlocks());
            assertEquals(512, bdev.blockSize());
            assertEquals("Malloc disk", bdev.productName());
            assertEquals("true", application.call("bdev_malloc_delete", "{'name': 'M'}"));
            assertTrue(application.registry.find("M").isEmpty());
            assertEquals(0, application.regions());
        }
    }

    @Test
    void namesTheNamelessByTheNextFreeNumber() {
        try (MallocFixture application = new MallocFixture()) {
            application.call("bdev_malloc_create", "{'name': 'Malloc1', 'num_blocks': 8, 'block_size': 512}");
            String nameless = "{'num_blocks': 8, 'block_size': 512}";
            assertEquals("\"Malloc0\"", application.call("bdev_malloc_create", nameless));
            assertEquals("\"Malloc2\"", application.call("bdev_malloc_create", nameless));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 100, 511, 513, 1049088, 2147483648L})
    void refusesABlockSizeByItsLimits(long size) {
        try (MallocFixture application = new MallocFixture()) {
            refused(application, "{'name': 'M', 'num_blocks': 100, 'block_size': " + size + "}", -22,
                    "block_size=" + size, "multiple of 512", "512..1048576");
            application.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 100, 'block_size': 512}");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"'num_blocks': 0, 'block_size': 512 | -22 | num_blocks=0",
            "'num_blocks': 9223372036854775807, 'block_size': 512 | -22 | num_blocks=9223372036854775807",
            "'num_blocks': 99999999999, 'block_size': 512 | -12 | num_blocks=99999999999",
            "'num_blocks': 8, 'block_size': 512, 'physical_block_size': 100 | -22 | physical_block_size=100",
            "'num_blocks': 8, 'block_size': 512, 'md_size': 9 | -22 | md_size=9",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': 1 | -22 | md_size=0",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': 4, 'md_size': 8 | -22 | dif_type=4",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': 1, 'md_size': 8, 'dif_pi_format': 1 | -22 | md_size=8",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': 1, 'md_size': 8, 'dif_pi_format': 3 | -22 | dif_pi_format=3",
            "'num_blocks': -1, 'block_size': 512 | -32602 | num_blocks",
            "'num_blocks': '8', 'block_size': 512 | -32602 | num_blocks",
            "'num_blocks': 8 | -32602 | block_size",
            "'num_blocks': 8, 'block_size': 512, 'uuid': 'x' | -32602 | uuid"})
    void refusesWhatCannotBe(String params, int code, String mentioned) {
        try (MallocFixture application = new MallocFixture()) {
            refused(application, "{'name': 'M', " + params + "}", code, mentioned.strip());
            application.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 100, 'block_size': 512}");
        }
    }

    @Test
    void refusesANameOrUuidThatIsTaken() {
        try (MallocFixture application = new MallocFixture()) {
            String uuid = "38c40683-88fe-446b-8db0-6b815396b2e7";
            application.call("bdev_malloc_create",
                    "{'name': 'A', 'num_blocks': 8, 'block_size': 512, 'uuid': '" + uuid + "'}");
            refused(application, "{'name': 'A', 'num_blocks': 8, 'block_size': 512}", -17, "'A'");
            refused(application, "{'name': 'B', 'num_blocks': 8, 'block_size': 512, 'uuid': '" + uuid + "'}", -17,
                    uuid);
            refused(application, "{'name': '', 'num_blocks': 8, 'block_size': 512}", -22, "name");
            application.call("bdev_malloc_delete", "{'name': 'A'}");
            application.call("bdev_malloc_create",
                    "{'name': 'B', 'num_blocks': 8, 'block_size': 512, 'uuid': '" + uuid + "'}");
        }
    }

    @Test
    void deletesOnlyMallocBdevs() {
        try (MallocFixture application = new MallocFixture()) {
            RpcException e = assertThrows(RpcException.class,
                    () -> application.call("bdev_malloc_delete", "{'name': 'nope'}"));
            assertEquals(-19, e.code());
            assertTrue(e.getMessage().contains("'nope'"), e.getMessage());
        }
    }

    @Test
    void lendsMemoryOnlyWhereNothingElseGoesWithIt() {
        try (MallocFixture application = new MallocFixture()) {
            application.call("bdev_malloc_create", "{'name': 'A', 'num_blocks': 8, 'block_size': 512}");
            application.call("bdev_malloc_create", "{'name': 'B', 'num_blocks': 8, 'block_size': 512, 'md_size': 8}");
            application.call("bdev_malloc_create", "{'name': 'C', 'num_blocks': 8, 'block_size': 512, 'md_size': 8,"
                    + " 'md_interleave': true, 'dif_type': 1}");
            assertTrue(application.registry.get("A").supports(BdevIoType.ZCOPY_START));
            assertEquals(false, application.registry.get("B").supports(BdevIoType.ZCOPY_START));
            assertEquals(false, application.registry.get("C").supports(BdevIoType.ZCOPY_START));
        }
    }

    @Provide
    Arbitrary<String> optionalParts() {
        return Arbitraries.of("", ", 'physical_block_size': 4096", ", 'optimal_io_boundary': 8", ", 'md_size': 64",
                ", 'md_size': 64, 'md_interleave': true",
                ", 'md_size': 16, 'md_interleave': true, 'dif_type': 2, 'dif_pi_format': 1",
                ", 'md_size': 128, 'dif_type': 3, 'dif_is_head_of_md': true", ", 'numa_id': 1",
                ", 'uuid': '38c40683-88fe-446b-8db0-6b815396b2e7'");
    }

    @Property(tries = 30)
    void savesWhatMakesTheSameAgain(@ForAll("optionalParts") String more) {
        String saved;
        try (MallocFixture application = new MallocFixture()) {
            application.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 100, 'block_size': 4096" + more + "}");
            saved = saved(application);
        }
        try (MallocFixture application = new MallocFixture()) {
            application.call("bdev_malloc_create", saved);
            assertEquals(saved, saved(application));
        }
    }

    private static String saved(MallocFixture application) {
        Bdev bdev = application.registry.get("M");
        ConfigEntry entry = bdev.backend().config(bdev).getFirst();
        assertEquals("bdev_malloc_create", entry.method());
        return Json.compact(Json.tree(entry.params()));
    }

    /// The keys of the peer's saved configuration, and `md_interleave`, which it forgets.
    @Test
    void savesTheKeysOfThePeer() {
        try (MallocFixture application = new MallocFixture()) {
            application.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 16384, 'block_size': 512,"
                    + " 'uuid': '74d9a852-174b-4064-b600-2f4414fd4f04'}");
            assertEquals("{'name':'M','num_blocks':16384,'block_size':512,'physical_block_size':512,"
                    + "'uuid':'74d9a852-174b-4064-b600-2f4414fd4f04','optimal_io_boundary':0,'md_size':0,"
                    + "'md_interleave':false,'dif_type':0,'dif_is_head_of_md':false,'dif_pi_format':0,'numa_id':-1}",
                    saved(application).replace('"', '\''));
        }
    }

    @Test
    void typesTheSizeInMebibytes() {
        MallocCreateParams params = new MallocCreateForm(Optional.of("M"), Optional.<UUID>empty(), 0.5, 512, 0, 0, 0,
                false, 0, false, 0, -1).toParams();
        assertEquals(1024, params.numBlocks());
        assertThrows(IllegalArgumentException.class, () -> new MallocCreateForm(Optional.of("M"),
                Optional.<UUID>empty(), 0.5, 0, 0, 0, 0, false, 0, false, 0, -1).toParams());
    }
}
