package io.spindrift.sock;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogLevel;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.sock.spi.SockImplementation;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/// A group on a thread that the test drives, and a listener on the loopback whose connections wait to be taken.
final class SockBench implements AutoCloseable {
    static final long TIMEOUT_NANOS = 10_000_000_000L;

    final ManualReactor reactor = new ManualReactor(1);
    final IoThread thread = reactor.reactors().appThread();
    final List<String> logged = new ArrayList<>();
    final Log log;
    final Sockets sockets;
    final String name;
    final SockGroup group;
    final Queue<DetachedSock> accepted = new ArrayDeque<>();
    final SockListener listener;
    private final SockOptions options;

    /// Two connected sockets of the group.
    record Pair(Sock client, Recorder atClient, Sock server, Recorder atServer) {}

    SockBench(SockImplementation implementation) {
        this(implementation, SockImplOptions.DEFAULT.withZerocopy(false, false, 0), SockOptions.DEFAULT);
    }

    SockBench(SockImplementation implementation, SockImplOptions implOptions, SockOptions options) {
        this.options = options;
        LogSink sink = new LogSink() {
            @Override
            public void write(LogLevel level, String line) {
                synchronized (logged) {
                    logged.add(line);
                }
            }
        };
        log = new Log(sink, LogSink.discard(), Clock.systemUTC());
        sockets = new Sockets(reactor.reactors(), log, List.of(implementation));
        name = implementation.name();
        sockets.options(name, implOptions);
        group = reactor.run(thread, () -> sockets.group(thread, name));
        listener = listen("127.0.0.1");
    }

    SockListener listen(String host) {
        return reactor.run(thread, () -> group.listen(SockAddress.of(host, 0), options, accepted::add));
    }

    /// Runs `task` on the thread.
    void run(Runnable task) {
        reactor.run(thread, task);
    }

    DetachedSock connect(SockAddress address) throws Exception {
        return sockets.connect(address.host(), address.port(), name, options, TIMEOUT_NANOS);
    }

    DetachedSock accept() {
        reactor.stepUntil(() -> !accepted.isEmpty());
        return accepted.remove();
    }

    Sock add(DetachedSock detached, Receiver receiver) {
        return reactor.run(thread, () -> group.add(detached, receiver));
    }

    Pair pair() throws Exception {
        DetachedSock client = connect(listener.address());
        DetachedSock server = accept();
        Recorder atClient = new Recorder();
        Recorder atServer = new Recorder();
        return new Pair(add(client, atClient), atClient, add(server, atServer), atServer);
    }

    long count(SockCounter counter) {
        return group.stats().get(counter);
    }

    @Override
    public void close() {
        accepted.forEach(DetachedSock::close);
        run(group::close);
        reactor.close();
        log.close();
    }
}
