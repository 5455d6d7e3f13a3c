package io.spindrift.sock;

import io.spindrift.sock.internal.ffi.SockAddr;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// A connection that belongs to no group yet: what a listener accepts and [Sockets#connect] makes.
///
/// Any thread. It ends by [SockGroup#add], which makes a [Sock] of it, or by [#close()].
public final class DetachedSock implements AutoCloseable {
    private static final int NO_PLACEMENT = 0;
    private static final int[] PLACEMENT_OPTION = {NO_PLACEMENT, SocketCalls.SO_INCOMING_NAPI_ID,
            SocketCalls.SO_INCOMING_CPU, SocketCalls.SO_MARK};

    private final int descriptor;
    private final boolean accepted;
    private final SockOptions options;
    private final SockAddress local;
    private final SockAddress peer;
    private final AtomicBoolean gone = new AtomicBoolean();

    /// Takes the connected `descriptor` over.
    DetachedSock(int descriptor, boolean accepted, SockOptions options, SockAddress local, SockAddress peer) {
        this.descriptor = descriptor;
        this.accepted = accepted;
        this.options = options;
        this.local = local;
        this.peer = peer;
    }

    /// Asks for both addresses; if the connection has failed already, closes it and returns null.
    static DetachedSock of(int descriptor, boolean accepted, SockOptions options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SockAddr.SIZE_IN6, 8);
            if (SocketCalls.getsockname(descriptor, address) == 0) {
                SockAddress local = SockAddress.of(SockAddr.address(address), SockAddr.port(address));
                if (SocketCalls.getpeername(descriptor, address) == 0) {
                    SockAddress peer = SockAddress.of(SockAddr.address(address), SockAddr.port(address));
                    return new DetachedSock(descriptor, accepted, options, local, peer);
                }
            }
        }
        SocketCalls.close(descriptor);
        return null;
    }

    /// The address that the peer used, even if the listener's was a wildcard.
    public SockAddress localAddress() {
        return local;
    }

    public SockAddress peerAddress() {
        return peer;
    }

    /// Whether a listener accepted it, rather than this end having connected.
    public boolean accepted() {
        return accepted;
    }

    public SockOptions options() {
        return options;
    }

    /// Whether both ends are on this machine, where zero copy is a copy all the same.
    public boolean loopback() {
        return peer.ip().isLoopbackAddress() || peer.ip().equals(local.ip());
    }

    /// Where the network card delivers it, in the sense of [SockImplOptions#enablePlacementId()]; -1 if unknown.
    public int placementId(SockImplOptions implOptions) {
        int option = PLACEMENT_OPTION[(int) implOptions.enablePlacementId()];
        if (option == NO_PLACEMENT) {
            return -1;
        }
        int id = SocketCalls.getsockopt(descriptor, SocketCalls.SOL_SOCKET, option);
        boolean zeroIsNone = option != SocketCalls.SO_INCOMING_CPU;
        return id < 0 || id == 0 && zeroIsNone ? -1 : id;
    }

    /// The descriptor, the caller's from now on. [IllegalStateException] if it is gone already.
    int take() {
        if (!gone.compareAndSet(false, true)) {
            throw new IllegalStateException("the connection of " + peer + " is closed or belongs to a group");
        }
        return descriptor;
    }

    /// Ends the connection unless it has gone to a group. Does nothing the second time.
    @Override
    public void close() {
        if (gone.compareAndSet(false, true)) {
            SocketCalls.close(descriptor);
        }
    }

    /// Text for messages: `192.0.2.1:1234`, its peer.
    @Override
    public String toString() {
        return peer.toString();
    }

}
