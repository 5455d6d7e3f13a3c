package io.spindrift.nvmf.tcp;

import io.spindrift.framework.memory.BufferChannel;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.spec.tcp.Crc32c;
import io.spindrift.nvmf.AddressFamily;
import io.spindrift.nvmf.PollGroup;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.engine.TargetResources;
import io.spindrift.nvmf.spi.TransportGroup;
import io.spindrift.nvmf.spi.TransportOptions;
import io.spindrift.sock.Acceptor;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.SockAddress;
import io.spindrift.sock.SockGroup;
import io.spindrift.sock.SockListener;
import io.spindrift.sock.SockOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The TCP connections of one poll group, and what they share: sockets, buffers, requests. On the poll group's thread.
final class TcpGroup implements TransportGroup {
    /// Requests that are made at a time.
    private static final int SLAB = 32;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TcpTransport transport;
    private final PollGroup group;
    private final TargetResources resources;
    /// By the name of their implementation: a listener may ask for another than the usual one.
    private final Map<String, SockGroup> sockGroups = new LinkedHashMap<>();
    private final BufferChannel buffers;
    private final BufferTurns turns;
    private final Crc32c crc = new Crc32c();
    private final Arena arena = Arena.ofShared();
    private final List<TcpQueuePair> queues = new ArrayList<>();
    private final AtomicInteger load = new AtomicInteger();
    private final Poller sweep;
    private TcpRequest freeRequests;
    private final ArrayDeque<MemorySegment> freeMemory = new ArrayDeque<>();

    TcpGroup(TcpTransport transport, PollGroup group) {
        this.transport = transport;
        this.group = group;
        this.resources = transport.resources();
        this.buffers = resources.pools().get().openChannel("nvmf_TCP",
                cache(transport.options().buffers().smallCache(), BufferPools.DEFAULT_SMALL_CACHE_SIZE),
                cache(transport.options().buffers().largeCache(), BufferPools.DEFAULT_LARGE_CACHE_SIZE));
        this.turns = new BufferTurns(group.thread());
        this.sweep = group.thread().addTimedPoller("nvmf_tcp_sweep", this::sweep, SWEEP_NANOS);
    }

    private static int cache(long wanted, int poolsDefault) {
        return wanted == TransportOptions.Buffers.CACHE_OF_THE_POOLS ? poolsDefault : (int) wanted;
    }

    IoThread thread() {
        return group.thread();
    }

    PollGroup pollGroup() {
        return group;
    }

    BufferChannel buffers() {
        return buffers;
    }

    BufferTurns turns() {
        return turns;
    }

    /// Whether reads borrow their devices' memory, where these lend it.
    boolean zeroCopy() {
        return transport.options().buffers().zeroCopy();
    }

    /// The longest buffer there is: longer transfers have several.
    long largestBuffer() {
        return resources.pools().get().largestCapacity();
    }

    Crc32c crc() {
        return crc;
    }

    /// Connections it has or is about to get. Any thread.
    int load() {
        return load.get();
    }

    /// A connection is on its way here. Any thread.
    void expect() {
        load.incrementAndGet();
    }

    /// A connection that was expected does not come. Any thread.
    void expectNoMore() {
        load.decrementAndGet();
    }

    private SockGroup sockGroup(Optional<String> implementation) {
        String name = implementation.orElseGet(() -> resources.sockets().defaultImplementation());
        return sockGroups.computeIfAbsent(name, wanted -> resources.sockets().group(thread(), wanted));
    }

    SockListener onListen(SockAddress address, Optional<String> implementation, SockOptions options,
            Acceptor acceptor) {
        assert thread().isCurrent();
        return sockGroup(implementation).listen(address, options.withForceZeroCopy(resources.forceZeroCopy()),
                acceptor);
    }

    /// A host's connection, which came in at a listener of the named socket implementation.
    void onConnection(DetachedSock connection, TransportAddress listen, Optional<String> implementation) {
        assert thread().isCurrent();
        TransportAddress local = address(connection.localAddress());
        TransportAddress peer = address(connection.peerAddress());
        TcpQueuePair queue = new TcpQueuePair(this, transport, listen, local, peer);
        queues.add(queue);
        transport.detail("connection of %s to %s, on thread %s", peer, local, thread().name());
        try {
            queue.open(sockGroup(implementation).add(connection, queue));
        } catch (RuntimeException e) {
            queue.disconnect();
            thread().reactors().contain("connection of " + peer, e);
        }
    }

    private static TransportAddress address(SockAddress address) {
        return new TransportAddress(TcpTransport.TRTYPE, address.v6() ? AddressFamily.IPV6 : AddressFamily.IPV4,
                address.host(), Integer.toString(address.port()));
    }

    void remove(TcpQueuePair queue) {
        queues.remove(queue);
        transport.detail("connection of %s is over", queue.peer().orElseThrow());
        expectNoMore();
    }

    /// Looks for connections that have stopped in the middle of something.
    private int sweep() {
        for (TcpQueuePair queue : List.copyOf(queues)) {
            queue.checkProgress(thread().now());
        }
        return 0;
    }

    // ---- memory and requests ----------------------------------------------------------------------------------

    /// [TcpQueuePair#MEMORY] bytes for a connection. They are the group's, and go with it: whichever reactor has the thread,
    /// and without a memory session for each connection, whose end would stop all threads.
    MemorySegment takeMemory() {
        return freeMemory.isEmpty() ? arena.allocate(TcpQueuePair.MEMORY, Long.BYTES) : freeMemory.removeLast();
    }

    void giveMemory(MemorySegment memory) {
        freeMemory.addLast(memory);
    }

    /// A request that is free; never null.
    TcpRequest takeRequest() {
        TcpRequest request = freeRequests;
        if (request == null) {
            return makeRequests();
        }
        freeRequests = request.following;
        request.following = null;
        return request;
    }

    void giveRequest(TcpRequest request) {
        request.following = freeRequests;
        freeRequests = request;
    }

    private TcpRequest makeRequests() {
        MemorySegment slab = arena.allocate((long) SLAB * TcpRequest.MEMORY, Long.BYTES);
        int ranges = (int) ((transport.options().maxIoSize() + largestBuffer() - 1) / largestBuffer());
        for (int i = 1; i < SLAB; i++) {
            giveRequest(new TcpRequest(this, slab, (long) i * TcpRequest.MEMORY, ranges));
        }
        return new TcpRequest(this, slab, 0, ranges);
    }

    /// What the sockets have counted, by their implementation.
    @Override
    public Map<String, Object> statistics() {
        assert thread().isCurrent();
        if (sockGroups.isEmpty()) {
            return Map.of();
        }
        Map<String, Object> sockets = new LinkedHashMap<>();
        sockGroups.forEach((name, sockGroup) -> {
            Map<String, Long> counters = new LinkedHashMap<>();
            sockGroup.stats().snapshot()
                    .forEach((counter, value) -> counters.put(counter.name().toLowerCase(Locale.ROOT), value));
            sockets.put(name, counters);
        });
        return Map.of("sock", sockets);
    }

    @Override
    public void close() {
        assert thread().isCurrent();
        sweep.unregister();
        List.copyOf(queues).forEach(TcpQueuePair::disconnect);
        sockGroups.values().forEach(SockGroup::close);
        buffers.close();
        arena.close();
    }
}
