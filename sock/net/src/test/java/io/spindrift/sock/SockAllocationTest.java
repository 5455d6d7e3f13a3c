package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.sock.posix.PosixSockImplementation;
import io.spindrift.sock.spi.SockImplementation;
import io.spindrift.sock.uring.UringSockImplementation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A message there and back, receives that find nothing and idle polls included, allocates nothing.
class SockAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {Posix.class, PosixPausing.class, Uring.class, UringPausing.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// One operation is a message of three ranges from the client and its echo; between two of them come idle polls.
    abstract static class PingPong implements Runnable {
        private static final int BYTES = 3 * 1400;

        private final SockBench bench;
        private final Reactor core;
        private final Arena arena = Arena.ofShared();
        private final boolean pausing;
        private Sock client;
        private Sock server;
        private long atClient;
        private long atServer;

        PingPong(SockImplementation implementation, boolean pausing) {
            this.pausing = pausing;
            bench = new SockBench(implementation);
            core = bench.reactor.reactors().reactor(0);
            try {
                DetachedSock one = bench.connect(bench.listener.address());
                DetachedSock two = bench.accept();
                Message ping = new Message(arena);
                Message pong = new Message(arena);
                client = bench.add(one, new Half() {
                    @Override
                    Sock sock() {
                        return client;
                    }

                    @Override
                    void took(long bytes) {
                        atClient += bytes;
                        if (atClient % BYTES == 0 && !ping.queued()) {
                            client.send(ping);
                        }
                    }
                });
                server = bench.add(two, new Half() {
                    @Override
                    Sock sock() {
                        return server;
                    }

                    @Override
                    void took(long bytes) {
                        atServer += bytes;
                        if (atServer % BYTES == 0) {
                            server.send(pong);
                        }
                    }
                });
                bench.run(() -> client.send(ping));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private static final class Message extends SendRequest {
            Message(Arena arena) {
                super(3);
                MemorySegment memory = arena.allocate(BYTES);
                for (int i = 0; i < 3; i++) {
                    add(memory, i * (BYTES / 3L), BYTES / 3);
                }
            }

            @Override
            protected void sent(int errno) {
                if (errno != 0) {
                    throw new AssertionError(errno);
                }
            }
        }

        private abstract class Half implements Receiver {
            private int offers;

            abstract Sock sock();

            abstract void took(long bytes);

            @Override
            public long received(MemorySegment buffer, long offset, long length) {
                if (pausing && offers++ % 2 == 0) {
                    sock().resumeReceiving();
                    return 0;
                }
                took(length);
                return length;
            }

            @Override
            public void closed(int errno) {
                throw new AssertionError(errno);
            }
        }

        @Override
        public void run() {
            long goal = atClient + BYTES;
            while (atClient < goal) {
                core.drive();
            }
        }
    }

    static final class Posix extends PingPong {
        Posix() {
            super(new PosixSockImplementation(), false);
        }
    }

    static final class PosixPausing extends PingPong {
        PosixPausing() {
            super(new PosixSockImplementation(), true);
        }
    }

    static final class Uring extends PingPong {
        Uring() {
            super(new UringSockImplementation(), false);
        }
    }

    static final class UringPausing extends PingPong {
        UringPausing() {
            super(new UringSockImplementation(), true);
        }
    }
}
