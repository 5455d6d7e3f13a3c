package io.spindrift.test.guest;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.SendRequest;
import io.spindrift.sock.Sock;
import io.spindrift.sock.SockAddress;
import io.spindrift.sock.SockCounter;
import io.spindrift.sock.SockGroup;
import io.spindrift.sock.SockImplOptions;
import io.spindrift.sock.SockOptions;
import io.spindrift.sock.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Queue;

/// Runs inside the guest, in a JVM of its own: sends to whoever connects by each implementation, and prints what the sockets
/// counted.
final class ZeroCopySender {
    /// Sends of each connection, and what each is long.
    static final int SENDS = 8;
    static final int BYTES = 256 << 10;

    private ZeroCopySender() {}

    /// The byte at `place` of what a connection brings: no period in common with pages or segments.
    static byte pattern(int place) {
        return (byte) (place % 251);
    }

    /// PORT: one connection is served for each implementation, in the order of their names.
    public static void main(String[] arguments) {
        try (ManualReactor reactor = new ManualReactor(1);
                Log log = new Log((_, line) -> System.err.println(line), LogSink.discard(), Clock.systemUTC())) {
            Sockets sockets = Sockets.load(reactor.reactors(), log, ModuleLayer.boot());
            for (String name : sockets.implementations().stream().sorted().toList()) {
                serve(reactor, sockets, name, Integer.parseInt(arguments[0]));
            }
        }
    }

    private static void serve(ManualReactor reactor, Sockets sockets, String name, int port) {
        sockets.options(name, SockImplOptions.DEFAULT.withZerocopy(true, false, 0));
        IoThread thread = reactor.reactors().appThread();
        SockGroup group = reactor.run(thread, () -> sockets.group(thread, name));
        Queue<DetachedSock> accepted = new ArrayDeque<>();
        var listener = reactor.run(thread,
                () -> group.listen(SockAddress.of("0.0.0.0", port), SockOptions.DEFAULT, accepted::add));
        System.out.println(name + " listens");
        until(reactor, () -> !accepted.isEmpty());
        Sock sock = reactor.run(thread, () -> group.add(accepted.remove(), new Reader()));
        for (int i = 0; i < SENDS; i++) {
            Piece piece = new Piece(i * BYTES);
            reactor.run(thread, () -> sock.send(piece));
            until(reactor, () -> piece.ended);
            if (piece.errno != 0) {
                throw new IllegalStateException(name + ": send " + i + " ended with " + piece.errno);
            }
        }
        System.out.println(name + " zero_copy_sends=" + group.stats().get(SockCounter.ZERO_COPY_SENDS) + " ends="
                + group.stats().get(SockCounter.ZERO_COPY_ENDS) + " copied="
                + group.stats().get(SockCounter.ZERO_COPY_COPIED) + " copied_sends="
                + group.stats().get(SockCounter.COPIED_SENDS));
        reactor.run(thread, () -> {
            sock.close();
            listener.close();
        });
        reactor.settle();
        reactor.run(thread, group::close);
    }

    /// As `stepUntil`, with the patience that an emulated processor needs; the guest's time limit ends it.
    private static void until(ManualReactor reactor, java.util.function.BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (reactor.stepAll() == 0) {
                Thread.yield();
            }
        }
    }

    /// Nobody sends anything here.
    private static final class Reader implements Receiver {
        @Override
        public long received(MemorySegment buffer, long offset, long length) {
            return length;
        }

        @Override
        public void closed(int errno) {}
    }

    private static final class Piece extends SendRequest {
        boolean ended;
        int errno;

        Piece(int from) {
            super(1);
            MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
            for (int i = 0; i < BYTES; i++) {
                memory.set(ValueLayout.JAVA_BYTE, i, pattern(from + i));
            }
            add(memory, 0, BYTES);
        }

        @Override
        protected void sent(int status) {
            ended = true;
            errno = status;
        }
    }
}
