package io.spindrift.framework.rpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Serves an [RpcRegistry] as JSON-RPC 2.0 on a unix socket or a TCP port, to any number of clients at once.
///
/// Requests follow each other without framing and are answered in their order, batches with an array; a reply is one
/// line. A call that waits for an event ([RpcWait]) holds none of the others back and is answered when it is due; it is
/// interrupted when its client closes. A request has at most 1 MiB and 64 levels of nesting; what is longer, or no JSON,
/// is answered with an error, and then the connection is closed. A batch ends with an error when its answers have 4 MiB.
/// The socket file has mode 0600; a stale one is replaced, a live one refused.
///
/// Each client has a virtual thread of the executor that is given, on which its calls run one after the other; what a
/// call waits for has one more while it waits. Any thread may call this.
public final class RpcServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ACCEPT_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RpcAddress address;
    private final ServerSocketChannel listener;
    private final AutoCloseable listenerFiles;
    private final RequestProcessor processor;
    private final RpcLog log;
    private final ExecutorService threads;
    private final Set<RpcConnection> connections = ConcurrentHashMap.newKeySet();
    private final CountDownLatch acceptEnded = new CountDownLatch(1);
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean closed;

    private RpcServer(RpcAddress address, ServerSocketChannel listener, AutoCloseable listenerFiles,
            RpcRegistry registry, RpcLog log, ExecutorService threads) {
        this.address = address;
        this.listener = listener;
        this.listenerFiles = listenerFiles;
        this.processor = new RequestProcessor(registry, log);
        this.log = log;
        this.threads = threads;
    }

    /// Listens at `address` and serves until [#close]. `threads` starts a virtual thread for each task and outlives
    /// the server.
    ///
    /// Throws `IOException` with a sentence naming the address if one cannot listen there.
    public static RpcServer listen(RpcAddress address, RpcRegistry registry, RpcLog log, ExecutorService threads)
            throws IOException {
        RpcServer server = switch (address) {
            case RpcAddress.Unix unix -> {
                SocketFile file = onPlatformThread(() -> SocketFile.listen(unix.path()));
                yield new RpcServer(address, file.channel(), file, registry, log, threads);
            }
            case RpcAddress.Tcp tcp -> {
                ServerSocketChannel channel = listen(tcp);
                InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
                yield new RpcServer(new RpcAddress.Tcp(tcp.host(), bound.getPort()), channel, channel, registry, log,
                        threads);
            }
        };
        threads.execute(server::accept);
        return server;
    }

    private static ServerSocketChannel listen(RpcAddress.Tcp address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(address.family());
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return channel.bind(address.socketAddress(), BACKLOG);
        } catch (IOException e) {
            channel.close();
            throw new IOException("cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    /// The address, with the port that was found if 0 was asked for.
    public RpcAddress address() {
        return address;
    }

    /// How many clients are connected.
    public int connections() {
        return connections.size();
    }

    private void accept() {
        try {
            acceptUntilClosed();
        } finally {
            acceptEnded.countDown();
        }
    }

    private void acceptUntilClosed() {
        boolean failing = false;
        while (!closed) {
            try {
                SocketChannel channel = listener.accept();
                failing = false;
                serve(channel);
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                if (!failing) {
                    log.failed("cannot accept RPC clients at " + address + ", will try again: " + e.getMessage(), e);
                }
                failing = true;
                LockSupport.parkNanos(ACCEPT_RETRY_NANOS);
            }
        }
    }

    private void serve(SocketChannel channel) throws IOException {
        if (address instanceof RpcAddress.Tcp) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
        RpcConnection connection = new RpcConnection(channel, processor, log, threads, this::ended);
        connections.add(connection);
        threads.execute(connection);
        if (closed) {
            connection.closeWhenIdle();
        }
    }

    private void ended(RpcConnection connection) {
        connections.remove(connection);
        if (closed && connections.isEmpty()) {
            drained.countDown();
        }
    }

    /// Stops listening, removes the socket file, and closes the connections: at once where no call is running, else
    /// when it is answered, but after a second in any case. Calls that run longer go on without a client.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        onPlatformThread(() -> {
            listenerFiles.close();
            return null;
        });
        for (RpcConnection connection : connections) {
            connection.closeWhenIdle();
        }
        awaitDrained();
        for (RpcConnection connection : connections) {
            connection.closeNow();
        }
    }

    private void awaitDrained() {
        try {
            // The kernel's socket is closed by the thread that waits in accept, and only then is the port free.
            acceptEnded.await(DRAIN_NANOS, TimeUnit.NANOSECONDS);
            if (!connections.isEmpty() && !drained.await(DRAIN_NANOS, TimeUnit.NANOSECONDS)) {
                log.warning(connections.size() + " RPC calls were still running when the server closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // close the rest at once
        }
    }

    /// Runs `task`, which makes native calls that may block, where it pins no carrier of virtual threads.
    private static <T> T onPlatformThread(Callable<T> task) throws IOException {
        FutureTask<T> run = new FutureTask<>(task);
        if (Thread.currentThread().isVirtual()) {
            Thread.ofPlatform().name("rpc-socket").start(run);
        } else {
            run.run();
        }
        try {
            return run.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while opening or closing the RPC socket", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException(e.getCause());
        }
    }
}
