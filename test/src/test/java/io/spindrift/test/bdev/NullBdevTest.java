package io.spindrift.test.bdev;

import org.junit.jupiter.api.Test;

class NullBdevTest extends BdevContract {
    private static final long MIB = 1 << 20;

    @Override
    void create() {
        target.call("bdev_null_create", "{'name': '" + NAME + "', 'num_blocks': 1000, 'block_size': 4096}");
    }

    @Override
    void delete() {
        target.call("bdev_null_delete", "{'name': '" + NAME + "'}");
    }

    @Override
    long numBlocks() {
        return 1000;
    }

    @Override
    int blockSize() {
        return 4096;
    }

    @Test
    void growsWhileItIsOpen() throws Exception {
        growsWhileItIsOpen(() -> {
            target.call("bdev_null_resize", "{'name': '" + NAME + "', 'new_size': 8}");
            return 8 * MIB / 4096;
        });
    }
}
