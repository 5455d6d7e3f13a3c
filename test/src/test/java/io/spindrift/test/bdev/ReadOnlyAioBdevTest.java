package io.spindrift.test.bdev;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.test.tgt.OpenBdev;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// On a file that is opened for reading only.
class ReadOnlyAioBdevTest extends BdevContract {
    private final byte[] contents = new byte[1000 * 512];

    @Override
    void create() throws IOException {
        random.nextBytes(contents);
        Path file = Files.write(folder.resolve("contract.img"), contents);
        target.call("bdev_aio_create", "{'name': '" + NAME + "', 'filename': '" + file
                + "', 'block_size': 512, 'readonly': true}");
    }

    @Override
    void delete() {
        target.call("bdev_aio_delete", "{'name': '" + NAME + "'}");
    }

    @Override
    long numBlocks() {
        return 1000;
    }

    @Override
    int blockSize() {
        return 512;
    }

    @Override
    boolean writable() {
        return false;
    }

    @Test
    void readsTheFileAndLeavesItAsItIs() throws IOException {
        try (OpenBdev bdev = open()) {
            assertArrayEquals(contents, read(bdev, 0, 1000));
            long refusal = bdev.run((channel, done) -> channel.write(Vectors.of(new byte[512], arena), 0, 1, done));
            assertEquals(BdevStatus.text(BdevStatus.UNSUPPORTED), BdevStatus.text(refusal));
        }
        assertArrayEquals(contents, Files.readAllBytes(folder.resolve("contract.img")));
    }
}
