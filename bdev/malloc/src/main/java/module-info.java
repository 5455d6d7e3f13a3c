/// Block devices in memory: what is written is there until the device is deleted.
module io.spindrift.bdev.malloc {
    requires io.spindrift.bdev;

    opens io.spindrift.bdev.malloc to io.spindrift.framework;

    provides io.spindrift.bdev.spi.BdevModule with io.spindrift.bdev.malloc.MallocBdevModule;
    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.bdev.malloc.MallocRpcs;
}
