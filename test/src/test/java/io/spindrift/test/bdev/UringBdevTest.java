package io.spindrift.test.bdev;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// On a file.
class UringBdevTest extends DataContract {
    @Override
    void create() throws IOException {
        resize(numBlocks());
        target.call("bdev_uring_create", "{'name': '" + NAME + "', 'filename': '" + file() + "', 'block_size': 512}");
    }

    private Path file() {
        return folder.resolve("contract.img");
    }

    private void resize(long blocks) throws IOException {
        try (RandomAccessFile image = new RandomAccessFile(file().toFile(), "rw")) {
            image.setLength(blocks * blockSize());
        }
    }

    @Override
    void delete() {
        target.call("bdev_uring_delete", "{'name': '" + NAME + "'}");
    }

    @Override
    long numBlocks() {
        return 1000;
    }

    @Override
    int blockSize() {
        return 512;
    }

    @Test
    void growsWhileItIsOpen() throws Exception {
        growsWhileItIsOpen(() -> {
            resize(2000);
            target.call("bdev_uring_rescan", "{'name': '" + NAME + "'}");
            return 2000;
        });
    }
}
