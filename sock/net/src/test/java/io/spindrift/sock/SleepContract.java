package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.sock.spi.SockImplementation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/// On reactors that run by themselves, and sleep when nothing happens.
abstract class SleepContract {
    private static final int ECHO_BYTES = 4;

    abstract SockImplementation implementation();

    /// Sends back four bytes at a time.
    private static final class Echo implements Receiver {
        private final TestRequest answer = TestRequest.of(new byte[ECHO_BYTES]);
        private Sock sock;

        @Override
        public long received(MemorySegment buffer, long offset, long length) {
            assertEquals(ECHO_BYTES, length, "so little comes in one piece");
            MemorySegment memory = answer.segments[0];
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, offset, memory, ValueLayout.JAVA_BYTE, 0, length);
            sock.send(answer);
            return length;
        }

        @Override
        public void closed(int errno) {
            sock.close();
        }
    }

    private static void awaitSleep(Reactor reactor) {
        while (!reactor.asleep()) {
            Thread.onSpinWait();
        }
    }

    private static void exchange(Socket peer, byte first) throws IOException {
        byte[] bytes = {first, 2, 3, 4};
        peer.getOutputStream().write(bytes);
        assertArrayEquals(bytes, peer.getInputStream().readNBytes(ECHO_BYTES));
    }

    @Test
    void aSleepingReactorIsWokenByConnectionsAndBytes() throws Exception {
        try (Reactors reactors = Reactors.start(ReactorOptions.of("sleep-test", CpuMask.of(0)));
                Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC())) {
            IoThread thread = reactors.createThread("socks", CpuMask.of(0));
            Reactor reactor = reactors.reactor(0);
            SockGroup group = group(reactors, log, thread);
            try (Socket peer = connect(thread, group)) {
                for (byte i = 0; i < 10; i++) {
                    awaitSleep(reactor);
                    exchange(peer, i);
                }
            }
            thread.run(group::close);
            assertEquals(0, reactors.exceptionCount());
        }
    }

    @Test
    void aThreadThatMovesTakesItsSocketsAlong() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "needs two processors");
        try (Reactors reactors = Reactors.start(ReactorOptions.of("move-test", CpuMask.of(0, 1)));
                Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC())) {
            IoThread thread = reactors.createThread("socks", CpuMask.of(0, 1));
            SockGroup group = group(reactors, log, thread);
            try (Socket peer = connect(thread, group)) {
                for (byte i = 0; i < 20; i++) {
                    Reactor target = reactors.reactor(i % 2);
                    thread.moveTo(target);
                    while (thread.call(thread::reactor) != target) {
                        Thread.onSpinWait();
                    }
                    exchange(peer, i);
                }
            }
            thread.run(group::close);
            assertEquals(0, reactors.exceptionCount());
        }
    }

    private SockGroup group(Reactors reactors, Log log, IoThread thread) {
        Sockets sockets = new Sockets(reactors, log, List.of(implementation()));
        return thread.call(() -> sockets.group(thread, implementation().name()));
    }

    private static Socket connect(IoThread thread, SockGroup group) throws IOException {
        SockListener listener = thread
                .call(() -> group.listen(SockAddress.of("127.0.0.1", 0), SockOptions.DEFAULT, connection -> {
                    Echo echo = new Echo();
                    echo.sock = group.add(connection, echo);
                }));
        Socket peer = new Socket();
        peer.setTcpNoDelay(true);
        peer.connect(new InetSocketAddress("127.0.0.1", listener.address().port()));
        return peer;
    }
}
