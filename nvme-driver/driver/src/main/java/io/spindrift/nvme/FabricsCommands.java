package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.spec.FabricsStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.ConnectResponse;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import java.lang.foreign.MemorySegment;

/// The commands by which a host makes queues and reads properties over Fabrics (base specification 2.0, 6). On the control
/// path.
final class FabricsCommands {
    private FabricsCommands() {}

    /// Connect: makes the queue pair one of the controller `cntlid`; returns the controller's identifier, which the admin
    /// queue's Connect (with 0xffff) chooses. `keepAliveMillis` is of the admin queue only.
    static int connect(QueuePair queue, TransportId id, ControllerOptions options, int entries, int cntlid,
            long keepAliveMillis) {
        Memory memory = queue.controller().driver().context().memory();
        MemoryRegion region = memory.allocate("nvme connect data", ConnectData.SIZE);
        write(region.segment(), id, options.host(), cntlid);
        IoVector data = new IoVector(1);
        data.set(region, 0, ConnectData.SIZE);
        int attributes = options.fabrics().disableFlowControl() ? ConnectCommand.CATTR_DISABLE_SQ_FLOW_CONTROL : 0;
        CommandResult result;
        try {
            result = queue.executeSetUp(request -> {
                request.begin(0, 0); // forgets earlier data
                ConnectCommand.write(request.command(), request.commandAt(), 0, queue.qid(), entries, attributes,
                        keepAliveMillis);
                request.dataToController(data);
            });
        } finally {
            memory.free(region);
        }
        if (!result.succeeded()) {
            throw refused(queue, id, options, result);
        }
        if (ConnectResponse.authenticationRequired(result.dw0())) {
            throw new NvmeException(Errno.EACCES, "controller " + queue.controller().name()
                    + " asks for authentication, which is not supported");
        }
        return ConnectResponse.cntlid(result.dw0());
    }

    private static void write(MemorySegment data, TransportId id, HostIdentity host, int cntlid) {
        WireUuid.write(data, ConnectData.HOSTID.offset(), host.id());
        ConnectData.CNTLID.set(data, 0, cntlid);
        ConnectData.SUBNQN.set(data, 0, id.subnqn());
        ConnectData.HOSTNQN.set(data, 0, host.nqn());
    }

    private static NvmeException refused(QueuePair queue, TransportId id, ControllerOptions options,
            CommandResult result) {
        String connect = "Connect of the " + queue;
        int status = Status.code(result.status());
        if (status == FabricsStatus.CONNECT_INVALID_PARAMETERS) {
            String where = ConnectResponse.inData(result.dw0()) ? "data" : "command";
            connect += " (hostnqn " + options.host().nqn() + "; the parameter at byte "
                    + ConnectResponse.ipo(result.dw0()) + " of its " + where + " is wrong"
                    + named(id, options, result.dw0()) + ")";
        } else if (status == FabricsStatus.CONNECT_INVALID_HOST) {
            connect += " (hostnqn " + options.host().nqn() + " is not allowed)";
        }
        return NvmeException.ofStatus(connect, result.status(), true);
    }

    /// Which parameter that is, in words.
    private static String named(TransportId id, ControllerOptions options, int dw0) {
        if (ConnectResponse.inData(dw0)) {
            int at = ConnectResponse.ipo(dw0);
            if (at == ConnectData.SUBNQN.offset()) {
                return ": subnqn " + id.subnqn();
            }
            return at == ConnectData.HOSTNQN.offset() ? ": hostnqn " + options.host().nqn() : "";
        }
        return "";
    }

    /// Property Get of 4 or 8 bytes.
    static long property(QueuePair admin, int offset, int bytes) {
        return admin.executeSetUp(
                request -> PropertyCommand.get(request.begin(0, 0).command(), request.commandAt(), 0, offset, bytes))
                .orThrow(String.format("%s: Property Get of %02Xh", admin.controller().name(), offset), true).result();
    }

    /// Property Set of 4 or 8 bytes.
    static void propertyTo(QueuePair admin, int offset, int bytes, long value) {
        admin.executeSetUp(request -> PropertyCommand.set(request.begin(0, 0).command(), request.commandAt(), 0, offset,
                bytes, value))
                .orThrow(String.format("%s: Property Set of %02Xh", admin.controller().name(), offset), true);
    }
}
