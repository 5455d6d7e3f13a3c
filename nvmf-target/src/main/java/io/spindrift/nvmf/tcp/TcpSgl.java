package io.spindrift.nvmf.tcp;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.fabrics.FabricsCommand;
import java.lang.foreign.MemorySegment;

/// What a command's SGL descriptor says of its data: in the capsule, from an offset up to its end, or in data PDUs
/// (NVMe/TCP transport 1.0, 3.1). The data path.
final class TcpSgl {
    // Bits 1:0 of an opcode, and of a Fabrics command type (base specification 2.0, 3.3.3.1).
    private static final int NO_DATA = 0;
    private static final int HOST_TO_CONTROLLER = 1;

    private TcpSgl() {}

    /// Finds out what is to be transferred, and where it comes from; what is wrong becomes the request's refusal. The
    /// submission queue entry is at `sqe` of `pdu`; its capsule has `dataLength` bytes of data, and may have
    /// `mostInCapsule`; `mostOutside` can be transferred otherwise.
    static void read(TcpRequest request, MemorySegment pdu, long sqe, long dataLength, long mostInCapsule,
            long mostOutside) {
        if (SubmissionQueueEntry.psdt(pdu, sqe) != SubmissionQueueEntry.PSDT_SGL) {
            request.refusal = Status.withDnr(GenericStatus.INVALID_FIELD);
            return;
        }
        long sgl = sqe + SubmissionQueueEntry.DPTR;
        long length = SglDescriptor.length(pdu, sgl);
        int type = SglDescriptor.type(pdu, sgl);
        int subtype = SglDescriptor.subtype(pdu, sgl);
        int direction = direction(request, pdu, sqe);
        if (type == SglDescriptor.TYPE_DATA_BLOCK && subtype == SglDescriptor.SUBTYPE_OFFSET) {
            long offset = SglDescriptor.address(pdu, sgl);
            if (offset < 0 || offset > 0 && offset >= dataLength) {
                request.refusal = Status.withDnr(GenericStatus.SGL_OFFSET_INVALID);
            } else if (length != dataLength - offset || dataLength > mostInCapsule
                    || length > 0 && direction != HOST_TO_CONTROLLER) {
                request.refusal = Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID);
            } else {
                request.inCapsule = length > 0;
                request.skip = offset;
            }
        } else if (type == SglDescriptor.TYPE_TRANSPORT_DATA_BLOCK && subtype == SglDescriptor.SUBTYPE_TRANSPORT) {
            if (dataLength != 0 || length > mostOutside) {
                request.refusal = Status.withDnr(dataLength != 0
                        ? GenericStatus.DATA_SGL_LENGTH_INVALID
                        : GenericStatus.INVALID_FIELD);
            } else if (length > 0 && direction != NO_DATA) {
                request.toTransfer(length, direction == HOST_TO_CONTROLLER);
            }
        } else if (length != 0 || dataLength != 0) {
            request.refusal = Status.withDnr(GenericStatus.SGL_DESCRIPTOR_TYPE_INVALID);
        }
    }

    private static int direction(TcpRequest request, MemorySegment pdu, long sqe) {
        int opcode = request.opcode();
        return (opcode == AdminOpcode.FABRICS ? FabricsCommand.fctype(pdu, sqe) : opcode) & 3;
    }
}
