/// Sockets: TCP connections of IoThreads, by several implementations.
///
/// First type to read: [io.spindrift.sock.Sockets].
module io.spindrift.sock {
    requires transitive io.spindrift.framework;

    exports io.spindrift.sock;
    exports io.spindrift.sock.spi;

    opens io.spindrift.sock to io.spindrift.framework; // parameter records

    uses io.spindrift.sock.spi.SockImplementation;

    provides io.spindrift.sock.spi.SockImplementation with
            io.spindrift.sock.posix.PosixSockImplementation,
            io.spindrift.sock.uring.UringSockImplementation;
    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.sock.SockRpcs;
}
