package io.spindrift.nvmf.tcp;

import io.spindrift.framework.Check;
import io.spindrift.framework.log.LogFlag;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvmf.AddressFamily;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.PollGroup;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.engine.TargetEngine;
import io.spindrift.nvmf.engine.TargetResources;
import io.spindrift.nvmf.spi.NvmfTransport;
import io.spindrift.nvmf.spi.TransportExtras;
import io.spindrift.nvmf.spi.TransportGroup;
import io.spindrift.nvmf.spi.TransportOptions;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.SockAddress;
import io.spindrift.sock.SockListener;
import io.spindrift.sock.SockOptions;
import io.spindrift.sock.Sockets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/// A target's TCP transport: listens on the first poll group's thread, and gives each connection to a poll group.
final class TcpTransport implements NvmfTransport {
    static final String TRTYPE = "TCP";
    private static final int MAX_PORT = 65_535;

    private final TargetResources resources;
    private final TransportOptions options;
    private final SockOptions sockOptions;
    private final LogFlag flag;
    private final boolean c2hSuccess;
    private final List<TcpGroup> groups = new CopyOnWriteArrayList<>();
    /// Control path only.
    private final Map<TransportAddress, SockListener> listeners = new HashMap<>();

    TcpTransport(NvmfTarget target, TransportOptions options) {
        this.resources = ((TargetEngine) target.engine()).resources();
        this.options = options;
        this.flag = resources.log().flag("nvmf_tcp");
        long priority = options.extras().sockPriority().orElse(0);
        Check.range("sock_priority", priority, 0, Integer.MAX_VALUE); // an int to the kernel (SO_PRIORITY)
        this.sockOptions = SockOptions.DEFAULT.withPriority((int) priority);
        this.c2hSuccess = options.extras().c2hSuccess().orElse(true);
        checkBuffers(target.pollGroups().size());
    }

    /// On each poll group one request may keep some large buffers while it waits for the rest of its own: if that can be all
    /// there are, none would ever have enough.
    private void checkBuffers(int pollGroups) {
        BufferPoolOptions pools = resources.pools().get().options();
        long most = Math.ceilDiv(options.maxIoSize(), pools.largeBufsize());
        long least = (most - 1) * pollGroups + 1;
        if (pools.largePoolCount() < least) {
            throw new IllegalArgumentException("max_io_size=" + options.maxIoSize() + ": a transfer needs " + most
                    + " buffers of large_bufsize=" + pools.largeBufsize() + " and the target has "
                    + pollGroups + " poll groups, for which large_pool_count="
                    + pools.largePoolCount() + " is too few: at least " + least + " are needed");
        }
    }

    @Override
    public String trtype() {
        return TRTYPE;
    }

    @Override
    public TransportOptions options() {
        return options;
    }

    TargetResources resources() {
        return resources;
    }

    /// Logs what a reader of the topic `nvmf_tcp` wants to know about connections.
    void detail(String format, Object... arguments) {
        resources.log().debug(flag, format, arguments);
    }

    /// Whether read data may carry success with them.
    boolean c2hSuccess() {
        return c2hSuccess;
    }

    @Override
    public TransportExtras ownOptions() {
        TransportExtras given = options.extras();
        return new TransportExtras(Optional.of(c2hSuccess), OptionalLong.of(given.sockPriority().orElse(0)),
                given.controlMsgNum(), OptionalInt.empty(), OptionalLong.empty(),
                Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty());
    }

    @Override
    public void listen(TransportAddress address, Optional<String> sock) {
        SockAddress where = SockAddress.of(address.traddr(), port(address.trsvcid()));
        AddressFamily family = where.v6() ? AddressFamily.IPV6 : AddressFamily.IPV4;
        if (address.adrfam() != family) {
            throw new IllegalArgumentException("adrfam=" + address.adrfam().text() + " does not fit traddr="
                    + address.traddr() + ", which is an address of " + family.text());
        }
        TcpGroup group = groups.getFirst();
        SockListener listener = group.thread().call(() -> group.onListen(where, sock, sockOptions,
                connection -> accepted(connection, address, sock)));
        listeners.put(address, listener);
        resources.log().notice("*** NVMe/TCP Target Listening on %s port %s ***", address.traddr(), address.trsvcid());
    }

    private static int port(String trsvcid) {
        try {
            int port = Integer.parseInt(trsvcid);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw new IllegalArgumentException("trsvcid=" + trsvcid + " is no port; one in 0.." + MAX_PORT + " is needed");
    }

    @Override
    public void stopListening(TransportAddress address) {
        SockListener listener = listeners.remove(address);
        if (listener != null) {
            groups.getFirst().thread().run(listener::close);
        }
    }

    /// A host has connected. On the listening thread.
    private void accepted(DetachedSock connection, TransportAddress listen, Optional<String> sock) {
        TcpGroup chosen = group(connection, sock);
        chosen.expect();
        if (!chosen.thread().send(() -> chosen.onConnection(connection, listen, sock))) {
            chosen.expectNoMore();
            connection.close();
        }
    }

    /// The group whose thread is best for the connection, if its sockets are placed so, else that which has the fewest.
    private TcpGroup group(DetachedSock connection, Optional<String> sock) {
        TcpGroup least = groups.getFirst();
        for (TcpGroup group : groups) {
            if (group.load() < least.load()) {
                least = group;
            }
        }
        IoThread best = sockets().optimalThread(connection, sock.orElseGet(sockets()::defaultImplementation),
                least.thread());
        for (TcpGroup group : groups) {
            if (group.thread() == best) {
                return group;
            }
        }
        return least;
    }

    private Sockets sockets() {
        return resources.sockets();
    }

    @Override
    public TransportGroup openGroup(PollGroup group) {
        TcpGroup opened = new TcpGroup(this, group);
        groups.add(opened);
        return opened;
    }

    @Override
    public void close() {
        groups.clear();
    }
}
