package io.spindrift.apps.nvme.perf;

import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Csts;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.NvmeTransportProvider;
import io.spindrift.nvme.spi.TransportController;
import io.spindrift.nvme.spi.TransportQueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Controllers without a device: each command ends in the turn after its own, with the status that the test has set. One
/// namespace of 1,000 blocks of 512 bytes; a command may have 8 KiB.
final class InstantTransport implements NvmeTransportProvider {
    static final int BLOCKS = 1000;

    /// How I/O ends.
    volatile int status;

    @Override
    public String name() {
        return "INSTANT";
    }

    @Override
    public NvmeTransport create(DriverContext context) {
        return new NvmeTransport() {
            @Override
            public String name() {
                return "INSTANT";
            }

            @Override
            public TransportController open(NvmeController controller, TransportId id, ControllerOptions options) {
                return new Controller();
            }

            @Override
            public void close() {
                // has nothing
            }
        };
    }

    private final class Controller extends TransportController {
        private int cc;

        @Override
        public boolean fabrics() {
            return false;
        }

        @Override
        public long property(int offset, int bytes) {
            return switch (offset) {
                case ControllerProperty.CAP -> Cap.of(127, 30, 0, 0, 0) | Cap.CQR | Cap.CSS_NVM;
                case ControllerProperty.VS -> Version.NVME_2_0;
                case ControllerProperty.CC -> cc;
                case ControllerProperty.CSTS -> Csts.withShst(Cc.enabled(cc) ? Csts.RDY : 0, Csts.SHST_COMPLETE);
                default -> 0;
            };
        }

        @Override
        public void propertyTo(int offset, int bytes, long value) {
            if (offset == ControllerProperty.CC) {
                cc = (int) value;
            }
        }

        @Override
        public TransportQueuePair newQueuePair(QueuePair queuePair, int requests) {
            return new Queue(queuePair, requests);
        }

        @Override
        public void close() {
            // has nothing
        }
    }

    private final class Queue extends TransportQueuePair {
        private final QueuePair owner;
        private final MemorySegment commands;
        private final NvmeRequest[] submitted;
        private Poller poller;
        private int count;
        private int ready;

        Queue(QueuePair owner, int requests) {
            this.owner = owner;
            this.commands = Arena.ofAuto().allocate((long) requests * SubmissionQueueEntry.SIZE, 64);
            this.submitted = new NvmeRequest[requests];
        }

        @Override
        public void connect(long limitMillis) {
            owner.thread().run(() -> poller = owner.thread().addPoller("instant", polling()));
        }

        @Override
        public boolean connected() {
            return true;
        }

        @Override
        public void disconnect() {
            owner.thread().callIfAlive(() -> {
                if (poller != null) {
                    poller.unregister();
                    poller = null;
                }
                ready = 0;
                while (count > 0) {
                    owner.abort(submitted[--count]);
                }
            });
        }

        @Override
        public void close() {
            // the segment goes with it
        }

        @Override
        public MemorySegment commands() {
            return commands;
        }

        @Override
        public long commandAt(int index) {
            return (long) index * SubmissionQueueEntry.SIZE;
        }

        @Override
        public void submit(NvmeRequest request) {
            if (!isEventRequest(request)) {
                submitted[count++] = request;
            }
        }

        private boolean isEventRequest(NvmeRequest request) {
            return owner.qid() == 0
                    && SubmissionQueueEntry.opc(commands, request.commandAt()) == AdminOpcode.ASYNC_EVENT_REQUEST;
        }

        private PollFunction polling() {
            return new PollFunction() {
                @Override
                public int poll() {
                    return endAll();
                }

                @Override
                public boolean readyToSleep() {
                    return count == 0;
                }
            };
        }

        private int endAll() {
            int ended = ready;
            for (int i = 0; i < ended; i++) {
                NvmeRequest request = submitted[i];
                submitted[i] = null;
                if (owner.qid() == 0) {
                    answer(request);
                } else {
                    owner.complete(request, status, 0, request.dataBytes());
                }
            }
            System.arraycopy(submitted, ended, submitted, 0, count - ended);
            count -= ended;
            ready = count; // all that was submitted before the next turn
            return ended;
        }

        private void answer(NvmeRequest request) {
            long result = 0;
            int opcode = SubmissionQueueEntry.opc(commands, request.commandAt());
            if (opcode == AdminOpcode.IDENTIFY) {
                MemorySegment page = identify(LittleEndian.u8(commands, request.commandAt() + 40),
                        SubmissionQueueEntry.nsid(commands, request.commandAt()));
                request.data().copyFrom(page, 0, 0, page.byteSize());
            } else if (opcode == AdminOpcode.SET_FEATURES) {
                result = 0x000f_000f; // sixteen queues
            }
            owner.complete(request, 0, result, request.dataBytes());
        }

        private static MemorySegment identify(int cns, long nsid) {
            MemorySegment page = MemorySegment.ofArray(new byte[4096]);
            switch (cns) {
                case Cns.CONTROLLER -> {
                    IdentifyController.MDTS.set(page, 0, 1);
                    IdentifyController.NN.set(page, 0, 1);
                    IdentifyController.SQES.set(page, 0, 0x66);
                    IdentifyController.CQES.set(page, 0, 0x44);
                }
                case Cns.ACTIVE_NAMESPACES -> LittleEndian.dword(page, 0, nsid == 0 ? 1 : 0);
                case Cns.NAMESPACE -> {
                    IdentifyNamespace.NSZE.set(page, 0, BLOCKS);
                    LbaFormat.LBADS.set(page, IdentifyNamespace.LBAF.at(0, 0), 9);
                }
                default -> {
                    // zeroes
                }
            }
            return page;
        }

        @Override
        public void fail(String reason) {
            owner.failed(reason);
        }
    }
}
