/// A bdev module as a third party writes it.
module org.example.zero {
    requires io.spindrift.bdev;

    opens org.example.zero to io.spindrift.framework; // parameter records

    provides io.spindrift.bdev.spi.BdevModule with org.example.zero.ZeroBdevModule;
    provides io.spindrift.framework.rpc.RpcCatalog with org.example.zero.ZeroBdevModule;
}
