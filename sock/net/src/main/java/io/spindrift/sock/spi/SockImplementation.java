package io.spindrift.sock.spi;

import io.spindrift.sock.SockGroup;
import io.spindrift.sock.SockImplOptions;

/// A way to receive and send: a service (`provides io.spindrift.sock.spi.SockImplementation with ...`).
///
/// A group extends [SockGroup], its sockets [io.spindrift.sock.Sock]; listening and connecting is the same for all.
public interface SockImplementation {
    /// As RPCs have it.
    String name();

    /// The options before anybody sets them.
    SockImplOptions defaultOptions();

    /// Makes a group. On its thread.
    ///
    /// @throws RuntimeException if the kernel refuses; everything acquired so far is given back
    SockGroup createGroup(SockGroupContext context);
}
