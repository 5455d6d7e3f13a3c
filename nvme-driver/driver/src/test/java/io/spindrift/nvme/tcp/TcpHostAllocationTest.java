package io.spindrift.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeCompletion;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.sock.Sockets;
import io.spindrift.sock.spi.SockImplementation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An I/O over TCP allocates nothing in the host: not in its queue pair, transport or sockets.
class TcpHostAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {Reads.class, ScatteredReads.class, Writes.class, AskedForWrites.class, DigestedReads.class,
            DigestedWrites.class, DigestedAskedForWrites.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// A host on the probe's thread. One operation drives it until its next I/O has ended.
    private abstract static class Hosting implements Runnable, NvmeCompletion {
        private final ManualReactor manual = new ManualReactor(1);
        private final Reactor core = manual.reactors().reactor(0);
        private final IoVector vector = new IoVector(8);
        private final QueuePair queue;
        private final int bytes;
        private final boolean write;
        private NvmeRequest request;
        private long ended;

        Hosting(boolean digests, boolean write, int bytes, int ranges) {
            this.write = write;
            this.bytes = bytes;
            try {
                ScriptedTarget target = new ScriptedTarget();
                if (digests) {
                    IcResp.write(target.icResp, 0, 0, IcReq.HDGST_ENABLE | IcReq.DDGST_ENABLE, 8192);
                }
                target.onIo(NvmOpcode.WRITE, (connection, command) -> {
                    if (command.data().length == 0) {
                        MemorySegment r2t = MemorySegment.ofArray(new byte[R2T.SIZE]);
                        R2T.write(r2t, 0, digests, command.cid(), 1, 0, LbaCommand.blocks(command.sqe(), 0) * 512L);
                        connection.send(Arena.ofAuto().allocate(32, 8).copyFrom(r2t), R2T.SIZE);
                    }
                    connection.complete(command, 0, 0);
                });
                queue = control(() -> connect(target, digests));
                core.drive();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            MemoryRegion region = memory().allocate("data", bytes);
            for (int i = 0; i < ranges; i++) {
                vector.add(region, (long) i * bytes / ranges, bytes / ranges);
            }
            queue.thread().send(() -> request = queue.acquire());
            core.drive();
        }

        private Memory memory() {
            return queue.controller().driver().context().memory();
        }

        private QueuePair connect(ScriptedTarget target, boolean digests) throws Exception {
            Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
            Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
            Sockets sockets = new Sockets(manual.reactors(), log,
                    List.of(service("io.spindrift.sock.posix.PosixSockImplementation")));
            NvmeDriver driver = new NvmeDriver(new DriverContext(manual.reactors(), memory, sockets, log),
                    List.of(new TcpTransportProvider()));
            NvmeController controller = driver.connect(
                    TransportId.tcp("127.0.0.1", Integer.toString(target.port()), Host.NQN),
                    ControllerOptions.defaults()
                            .withFabrics(ControllerOptions.Fabrics.DEFAULT.withDigests(digests, digests)),
                    ControllerListener.IGNORE);
            return controller.connectQueuePair(manual.reactors().appThread(), QueuePairListener.IGNORE);
        }

        private static SockImplementation service(String name) throws ReflectiveOperationException {
            return Class.forName(name).asSubclass(SockImplementation.class).getConstructor().newInstance();
        }

        private <T> T control(Callable<T> task) throws Exception {
            Future<T> result = manual.reactors().control().submit(task);
            while (!result.isDone()) {
                core.drive();
            }
            return result.get();
        }

        @Override
        public void run() {
            long before = ended;
            if (before == 0) {
                queue.thread().send(this::submit); // a callback submits all others
            }
            while (ended == before) {
                core.drive();
            }
        }

        private void submit() {
            if (write) {
                request.write(1, 0, bytes / 512, 0, vector);
            } else {
                request.read(1, 0, bytes / 512, 0, vector);
            }
            request.submit(this);
        }

        @Override
        public void completed(NvmeRequest done) {
            if (!done.succeeded()) {
                throw new IllegalStateException("status " + done.status());
            }
            ended++;
            submit();
        }
    }

    private static final class Reads extends Hosting {
        Reads() {
            super(false, false, 4096, 1);
        }
    }

    private static final class ScatteredReads extends Hosting {
        ScatteredReads() {
            super(false, false, 65536, 8);
        }
    }

    private static final class Writes extends Hosting {
        Writes() {
            super(false, true, 4096, 1);
        }
    }

    /// By R2T, in several PDUs.
    private static final class AskedForWrites extends Hosting {
        AskedForWrites() {
            super(false, true, 32768, 4);
        }
    }

    private static final class DigestedReads extends Hosting {
        DigestedReads() {
            super(true, false, 4096, 1);
        }
    }

    private static final class DigestedWrites extends Hosting {
        DigestedWrites() {
            super(true, true, 4096, 2);
        }
    }

    private static final class DigestedAskedForWrites extends Hosting {
        DigestedAskedForWrites() {
            super(true, true, 32768, 4);
        }
    }
}
