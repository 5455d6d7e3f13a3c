package io.spindrift.test.bdev;

/// With separate metadata that callers leave to the device, which generates and checks protection information in it.
class MallocSeparateMetadataTest extends MallocBdevTest {
    @Override
    String more() {
        return ", 'md_size': 8, 'dif_type': 1";
    }
}
