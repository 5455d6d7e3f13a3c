package io.spindrift.sock.uring;

import io.spindrift.sock.SockGroup;
import io.spindrift.sock.SockImplOptions;
import io.spindrift.sock.spi.SockGroupContext;
import io.spindrift.sock.spi.SockImplementation;

/// Sockets by io_uring: `uring`. Multishot receives into provided buffers; Linux 6.0, without a copy 6.1.
public final class UringSockImplementation implements SockImplementation {
    /// For the service loader.
    public UringSockImplementation() {}

    @Override
    public String name() {
        return "uring";
    }

    @Override
    public SockImplOptions defaultOptions() {
        return SockImplOptions.DEFAULT.withZerocopy(false, false, 0);
    }

    @Override
    public SockGroup createGroup(SockGroupContext context) {
        return UringGroup.open(context);
    }
}
