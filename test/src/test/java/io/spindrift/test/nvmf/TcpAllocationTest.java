package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.nulldev.NullBdevModule;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvmf.AddressFamily;
import io.spindrift.nvmf.AnaState;
import io.spindrift.nvmf.NamespaceRequest;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.SubsystemOptions;
import io.spindrift.nvmf.TargetOptions;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.engine.TargetEngine;
import io.spindrift.nvmf.engine.TargetResources;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import io.spindrift.sock.Sockets;
import io.spindrift.sock.spi.SockImplementation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A host's I/O on a TCP queue allocates nothing in the target: not in sockets, transport, controllers or block layer.
class TcpAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {Reads.class, LongReads.class, Writes.class, AskedForWrites.class, DigestedReads.class,
            DigestedWrites.class, DigestedAskedForWrites.class, BorrowedReads.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// A target on the probe's thread. One operation drives it until one more I/O has ended at the host, which runs on a
    /// thread of its own.
    private abstract static class Serving implements Runnable {
        private static final String NQN = "nqn.2016-06.io.spdk:cnode1";
        private static final String DISK = "{\"name\": \"b\", \"num_blocks\": 4096, \"block_size\": 512}";

        private final ManualReactor manual = new ManualReactor(1);
        private final Reactor core = manual.reactors().reactor(0);
        /// Kept: a socket that nobody refers to is closed.
        private TcpHost admin;
        private volatile long ended;
        private volatile Throwable failure;

        Serving(boolean digests, int opcode, int bytes, boolean inCapsule) {
            this(false, digests, opcode, bytes, inCapsule);
        }

        /// With `lending`, the disk is one of memory, from which reads are sent, and sockets do not copy.
        Serving(boolean lending, boolean digests, int opcode, int bytes, boolean inCapsule) {
            try {
                int port = serve(lending);
                TcpHost host = control(() -> connect(port, digests));
                Thread.ofPlatform().daemon().start(() -> exchange(host, opcode, bytes, inCapsule));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void run() {
            long before = ended;
            while (ended == before) {
                core.drive();
                if (failure != null) {
                    throw new AssertionError(failure);
                }
            }
        }

        private <T> T control(Callable<T> task) throws Exception {
            Future<T> result = manual.reactors().control().submit(task);
            while (!result.isDone()) {
                core.drive();
            }
            try {
                return result.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }

        /// Exports a disk; returns the port.
        private int serve(boolean lending) throws Exception {
            Log log = new Log(LogSink.discard(), LogSink.discard(), Clock.systemUTC());
            Memory memory = new Memory(new MemoryOptions(false, 64), manual.reactors());
            BufferPools pools = new BufferPools(memory, BufferPoolOptions.DEFAULT);
            BdevRegistry registry = new BdevRegistry(manual.reactors(), new Notifications(), memory, pools,
                    BdevOptions.DEFAULT);
            RpcRegistry rpc = new RpcRegistry();
            BdevModule module = lending
                    ? service("io.spindrift.bdev.malloc.MallocBdevModule", BdevModule.class)
                    : new NullBdevModule();
            rpc.register(module.rpcs());
            module.init(new BdevModuleContext(registry, manual.reactors(), memory, log));
            rpc.enter(RpcState.RUNTIME);
            rpc.dispatch("bdev_" + module.name() + "_create", Json.parse(DISK));
            Sockets sockets = new Sockets(manual.reactors(), log,
                    List.of(service("io.spindrift.sock.posix.PosixSockImplementation", SockImplementation.class)));
            sockets.options(Sockets.POSIX, sockets.options(Sockets.POSIX).withZerocopy(lending, false, 1));
            NvmfTargets targets = new NvmfTargets(registry,
                    new TargetEngine(new TargetResources(sockets, () -> pools, log, lending)));
            NvmfTransportProvider tcp = service("io.spindrift.nvmf.tcp.TcpTransportProvider",
                    NvmfTransportProvider.class);
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            return control(() -> {
                NvmfTarget target = targets.create("nvmf_tgt", TargetOptions.DEFAULT);
                target.addTransport("TCP", () -> tcp.create(target, tcp.defaults().withZeroCopy(lending)));
                NvmfSubsystem subsystem = target.createSubsystem(NQN, SubsystemOptions.DEFAULT, true);
                subsystem.addNamespace(NamespaceRequest.of("b"));
                subsystem.addListener(new TransportAddress("TCP", AddressFamily.IPV4, "127.0.0.1",
                        Integer.toString(port)), Optional.empty(), AnaState.OPTIMIZED);
                return port;
            });
        }

        /// What the service loader finds where there are modules; the probe's JVM has none.
        private static <T> T service(String name, Class<T> type) throws ReflectiveOperationException {
            return Class.forName(name).asSubclass(type).getConstructor().newInstance();
        }

        /// An I/O queue. Its admin queue stays open, too.
        private TcpHost connect(int port, boolean digests) throws IOException {
            admin = new TcpHost(port).initialize(digests, digests);
            TcpHost.Completion connected = admin.connect(0, 32, NQN, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC);
            assertEquals(0, connected.status());
            MemorySegment enable = Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE);
            PropertyCommand.set(enable, 0, admin.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
            assertEquals(0, admin.execute(enable, new byte[0], false, 0).status());
            TcpHost host = new TcpHost(port).initialize(digests, digests);
            assertEquals(0,
                    host.connect(1, 128, NQN, TcpHost.HOST_NQN, (int) connected.dw0() & 0xffff).status());
            return host;
        }

        private void exchange(TcpHost host, int opcode, int bytes, boolean inCapsule) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment sqe = arena.allocate(SubmissionQueueEntry.SIZE);
                boolean write = opcode == NvmOpcode.WRITE;
                byte[] sent = new byte[write ? bytes : 0];
                while (true) {
                    SubmissionQueueEntry.begin(sqe, 0, opcode, host.nextCid(), 1);
                    LbaCommand.set(sqe, 0, 0, bytes / 512, 0);
                    assertEquals(0, host.execute(sqe, sent, inCapsule, write ? 0 : bytes).status());
                    ended = ended + 1; // this thread alone writes it
                }
            } catch (Throwable t) {
                failure = t;
            }
        }
    }

    private static final class Reads extends Serving {
        Reads() {
            super(false, NvmOpcode.READ, 4096, false);
        }
    }

    private static final class BorrowedReads extends Serving {
        BorrowedReads() {
            super(true, false, NvmOpcode.READ, 4096, false);
        }
    }

    private static final class LongReads extends Serving {
        LongReads() {
            super(false, NvmOpcode.READ, 131_072, false);
        }
    }

    private static final class Writes extends Serving {
        Writes() {
            super(false, NvmOpcode.WRITE, 4096, true);
        }
    }

    /// By R2T, in several pieces.
    private static final class AskedForWrites extends Serving {
        AskedForWrites() {
            super(false, NvmOpcode.WRITE, 16_384, false);
        }
    }

    private static final class DigestedReads extends Serving {
        DigestedReads() {
            super(true, NvmOpcode.READ, 4096, false);
        }
    }

    private static final class DigestedWrites extends Serving {
        DigestedWrites() {
            super(true, NvmOpcode.WRITE, 4096, true);
        }
    }

    private static final class DigestedAskedForWrites extends Serving {
        DigestedAskedForWrites() {
            super(true, NvmOpcode.WRITE, 16_384, false);
        }
    }
}
