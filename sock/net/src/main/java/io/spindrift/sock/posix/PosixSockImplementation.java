package io.spindrift.sock.posix;

import io.spindrift.sock.SockGroup;
import io.spindrift.sock.SockImplOptions;
import io.spindrift.sock.spi.SockGroupContext;
import io.spindrift.sock.spi.SockImplementation;

/// Sockets by epoll, recv and sendmsg: `posix`, the default. Any Linux.
public final class PosixSockImplementation implements SockImplementation {
    /// For the service loader.
    public PosixSockImplementation() {}

    @Override
    public String name() {
        return "posix";
    }

    @Override
    public SockImplOptions defaultOptions() {
        return SockImplOptions.DEFAULT;
    }

    @Override
    public SockGroup createGroup(SockGroupContext context) {
        return new PosixGroup(context);
    }
}
