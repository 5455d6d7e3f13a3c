package io.spindrift.bdev.nulldev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.framework.rpc.RpcException;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NullRpcTest {
    private static RpcException refused(NullFixture application, String method, String params, int code,
            String... mentioned) {
        int bdevs = application.registry.bdevs().size();
        RpcException e = assertThrows(RpcException.class, () -> application.call(method, params));
        assertEquals(code, e.code(), e.getMessage());
        for (String word : mentioned) {
            assertTrue(e.getMessage().contains(word), e.getMessage());
        }
        assertEquals(bdevs, application.registry.bdevs().size());
        return e;
    }

    /// As in the peer's answers: blocks of 4096 bytes with 8 of metadata are 4104 long.
    @Test
    void countsMetadataIntoTheBlock() {
        try (NullFixture application = new NullFixture()) {
            assertEquals("\"N2\"", application.call("bdev_null_create",
                    "{'name': 'N2', 'num_blocks': 100, 'block_size': 4096, 'md_size': 8, 'dif_type': 1}"));
            Bdev bdev = application.registry.get("N2");
            assertEquals(4104, bdev.blockSize());
            assertEquals(8, bdev.geometry().metadataSize());
            assertTrue(bdev.geometry().metadataInterleaved());
            // Bit 0 reference tag, bit 2 guard.
            assertEquals(0b101, bdev.geometry().difCheckFlags());
            assertEquals("Null disk", bdev.productName());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 511, 513, 1049088, 2147483648L})
    void refusesABlockSizeByItsLimits(long size) {
        try (NullFixture application = new NullFixture()) {
            refused(application, "bdev_null_create", "{'name': 'N', 'num_blocks': 100, 'block_size': " + size + "}",
                    -22, "block_size=" + size, "multiple of 512", "512..1048576");
            application.call("bdev_null_create", "{'name': 'N', 'num_blocks': 100, 'block_size': 512}");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"'num_blocks': 0, 'block_size': 512 | -22 | num_blocks=0",
            "'num_blocks': 9223372036854775807, 'block_size': 512 | -22 | num_blocks=9223372036854775807",
            "'num_blocks': 8, 'block_size': 512, 'physical_block_size': 100 | -22 | physical_block_size=100",
            "'num_blocks': 8, 'block_size': 512, 'md_size': 9 | -22 | md_size=9",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': 1 | -22 | md_size=0",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': -1, 'md_size': 8 | -22 | dif_type=-1",
            "'num_blocks': 8, 'block_size': 512, 'dif_type': 1, 'md_size': 8, 'dif_pi_format': 2 | -22 | md_size=8",
            "'num_blocks': '8', 'block_size': 512 | -32602 | num_blocks", "'num_blocks': 8 | -32602 | block_size",
            "'num_blocks': 8, 'block_size': 512, 'uuid': 'not-a-uuid' | -32602 | uuid",
            "'num_blocks': 8, 'block_size': 512, 'blok': 1 | -32602 | blok"})
    void refusesWhatCannotBe(String params, int code, String mentioned) {
        try (NullFixture application = new NullFixture()) {
            refused(application, "bdev_null_create", "{'name': 'N', " + params + "}", code, mentioned.strip());
            application.call("bdev_null_create", "{'name': 'N', 'num_blocks': 100, 'block_size': 512}");
        }
    }

    @Test
    void refusesANameOrUuidThatIsTaken() {
        try (NullFixture application = new NullFixture()) {
            String uuid = "38c40683-88fe-446b-8db0-6b815396b2e7";
            application.call("bdev_null_create",
                    "{'name': 'N9', 'num_blocks': 100, 'block_size': 512, 'uuid': '" + uuid + "'}");
            refused(application, "bdev_null_create", "{'name': 'N9', 'num_blocks': 100, 'block_size': 512}", -17,
                    "'N9'");
            refused(application, "bdev_null_create",
                    "{'name': 'N10', 'num_blocks': 100, 'block_size': 512, 'uuid': '" + uuid + "'}", -17, uuid);
            refused(application, "bdev_null_create", "{'name': '', 'num_blocks': 100, 'block_size': 512}", -22,
                    "name");
            application.call("bdev_null_create", "{'name': 'N10', 'num_blocks': 100, 'block_size': 512}");
        }
    }

    @ParameterizedTest
    @CsvSource({"255, true", "256, false", "257, false"})
    void acceptsNamesUpToTheLimit(int length, boolean accepted) {
        try (NullFixture application = new NullFixture()) {
            String params = "{'name': '" + "x".repeat(length) + "', 'num_blocks': 8, 'block_size': 512}";
            if (accepted) {
                application.call("bdev_null_create", params);
            } else {
                refused(application, "bdev_null_create", params, -22, String.valueOf(length), "255");
            }
        }
    }

    /// As in the peer's answers: Null0 of 204800 blocks becomes one of 200 MiB, and then refuses 50.
    @Test
    void growsButDoesNotShrink() {
        try (NullFixture application = new NullFixture()) {
            application.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 204800, 'block_size': 512}");
            assertEquals("true", application.call("bdev_null_resize", "{'name': 'Null0', 'new_size': 200}"));
            assertEquals(409600, application.registry.get("Null0").numBlocks());
            refused(application, "bdev_null_resize", "{'name': 'Null0', 'new_size': 50}", -22, "new_size=50",
                    "409600");
            refused(application, "bdev_null_resize", "{'name': 'Null0', 'new_size': 9223372036854775807}", -22,
                    "new_size=9223372036854775807");
            refused(application, "bdev_null_resize", "{'name': 'nope', 'new_size': 50}", -19, "'nope'");
            assertEquals(409600, application.registry.get("Null0").numBlocks());
        }
    }

    @Test
    void resizesByDataWhereBlocksCarryMetadata() {
        try (NullFixture application = new NullFixture()) {
            application.call("bdev_null_create",
                    "{'name': 'N', 'num_blocks': 8, 'block_size': 4096, 'md_size': 8}");
            application.call("bdev_null_resize", "{'name': 'N', 'new_size': 1}");
            assertEquals(256, application.registry.get("N").numBlocks());
        }
    }

    @Test
    void deletes() {
        try (NullFixture application = new NullFixture()) {
            application.call("bdev_null_create",
                    "{'name': 'N', 'num_blocks': 8, 'block_size': 4096, 'md_size': 8, 'dif_type': 1}");
            assertEquals("true", application.call("bdev_null_delete", "{'name': 'N'}"));
            assertTrue(application.registry.find("N").isEmpty());
            refused(application, "bdev_null_delete", "{'name': 'N'}", -19, "'N'");
        }
    }

    @Provide
    Arbitrary<String> optionalParts() {
        return Arbitraries.of("", ", 'physical_block_size': 4096", ", 'md_size': 64",
                ", 'md_size': 16, 'dif_type': 2, 'dif_pi_format': 1",
                ", 'md_size': 128, 'dif_type': 3, 'dif_is_head_of_md': true",
                ", 'preferred_write_granularity': 1, 'preferred_write_alignment': 2, 'optimal_write_size': 3,"
                        + " 'preferred_unmap_granularity': 4, 'preferred_unmap_alignment': 5",
                ", 'uuid': '38c40683-88fe-446b-8db0-6b815396b2e7'");
    }

    @Property(tries = 20)
    void savesWhatMakesTheSameAgain(@ForAll("optionalParts") String more) {
        String saved;
        try (NullFixture application = new NullFixture()) {
            application.call("bdev_null_create", "{'name': 'N', 'num_blocks': 100, 'block_size': 512" + more + "}");
            saved = application.saved("N");
        }
        try (NullFixture application = new NullFixture()) {
            application.call("bdev_null_create", saved);
            assertEquals(saved, application.saved("N"));
        }
    }

    /// The peer's saved configuration, key by key.
    @Test
    void savesTheKeysOfThePeer() {
        try (NullFixture application = new NullFixture()) {
            application.call("bdev_null_create", "{'name': 'N9', 'num_blocks': 100, 'block_size': 512,"
                    + " 'uuid': '38c40683-88fe-446b-8db0-6b815396b2e7'}");
            assertEquals("{'name':'N9','num_blocks':100,'block_size':512,'physical_block_size':512,'md_size':0,"
                    + "'dif_type':0,'dif_is_head_of_md':false,'dif_pi_format':0,"
                    + "'uuid':'38c40683-88fe-446b-8db0-6b815396b2e7','preferred_write_granularity':0,"
                    + "'preferred_write_alignment':0,'optimal_write_size':0,'preferred_unmap_granularity':0,"
                    + "'preferred_unmap_alignment':0}", application.saved("N9"));
        }
    }

    /// 102400 MiB in blocks of 512 bytes.
    @Test
    void typesTheSizeInMebibytes() {
        NullCreateParams params = new NullCreateForm("null1", Optional.empty(), 102400, 512, 0, 0, 0, false, 0, 0, 0,
                0, 0, 0).toParams();
        assertEquals(209715200, params.numBlocks());
        assertEquals(512, params.blockSize());
    }
}
