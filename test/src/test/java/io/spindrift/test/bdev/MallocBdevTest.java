package io.spindrift.test.bdev;

class MallocBdevTest extends DataContract {
    /// More parameters of the RPC.
    String more() {
        return "";
    }

    @Override
    void create() {
        target.call("bdev_malloc_create", "{'name': '" + NAME + "', 'num_blocks': 1001, 'block_size': 512" + more()
                + "}");
    }

    @Override
    void delete() {
        target.call("bdev_malloc_delete", "{'name': '" + NAME + "'}");
    }

    @Override
    long numBlocks() {
        return 1001;
    }

    @Override
    int blockSize() {
        return 512;
    }
}
