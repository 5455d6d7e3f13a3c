package io.spindrift.nvme.tcp;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Opcode;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.sock.SendRequest;
import java.lang.foreign.MemorySegment;

/// What a [TcpQueuePair] has for one request: the memory of its PDUs, and how far its data have come. On its thread.
///
/// ```
///   0         8        72         128                256             264
///   | CapsuleCmd: CH | SQE | digest, padding | H2CData, likewise | digests of data |
/// ```
final class TcpSlot {
    /// A header, its digest, and padding up to the largest CPDA.
    private static final int HEADER_SIZE = 128;
    private static final int H2C = HEADER_SIZE;
    private static final int CAPSULE_DIGEST = H2C + HEADER_SIZE;
    private static final int H2C_DIGEST = CAPSULE_DIGEST + PduHeader.DIGEST_SIZE;
    /// Bytes of memory of each, whole cache lines.
    static final int MEMORY = 320;
    static final int COMMAND = CapsuleCmd.SQE;
    /// Ranges of memory that one PDU takes its data from.
    private static final int RANGES = 32;

    private final TcpQueuePair queue;
    private final MemorySegment memory;
    private final long at;
    private final SendRequest capsule;
    private final SendRequest h2cData;
    private NvmeRequest request;
    private boolean inCapsule;
    /// Bytes that have come from the controller.
    private long received;
    private boolean corrupt;
    /// Bytes that the controller has asked for in all, and those of its last R2T that have not been sent.
    private long asked;
    private long askedLeft;
    private int transferTag;
    /// PDUs that the kernel has not taken.
    private int sending;
    /// The response has come, or the connection is over, while the kernel still reads what is sent.
    private boolean answered;
    private int status;
    private long result;

    TcpSlot(TcpQueuePair queue, MemorySegment memory, long at) {
        this.queue = queue;
        this.memory = memory;
        this.at = at;
        this.capsule = new SendRequest(RANGES + 2) {
            @Override
            protected void sent(int errno) {
                pduSent();
            }
        };
        this.h2cData = new SendRequest(RANGES + 2) {
            @Override
            protected void sent(int errno) {
                dataSent(errno);
            }
        };
    }

    NvmeRequest request() {
        return request;
    }

    // ---- the command ------------------------------------------------------------------------------------------

    void begin(NvmeRequest newRequest) {
        request = newRequest;
        received = 0;
        asked = 0;
        askedLeft = 0;
        corrupt = false;
        answered = false;
        long bytes = newRequest.dataBytes();
        long sqe = at + COMMAND;
        inCapsule = bytes > 0 && newRequest.transfer() == Opcode.HOST_TO_CONTROLLER
                && (bytes <= queue.inCapsuleBytes() || alwaysInCapsule(sqe, bytes))
                && newRequest.data().count() <= RANGES;
        SubmissionQueueEntry.psdt(memory, sqe, SubmissionQueueEntry.PSDT_SGL);
        capsule.clear();
        if (inCapsule) {
            SglDescriptor.inCapsule(memory, sqe + SubmissionQueueEntry.DPTR, 0, bytes);
            CapsuleCmd.write(memory, at, queue.headerDigest(), queue.dataDigest(), queue.alignment(), bytes);
            addHeader(capsule, at, CapsuleCmd.SIZE, PduHeader.pdo(memory, at));
            addData(capsule, 0, bytes, CAPSULE_DIGEST);
        } else {
            SglDescriptor.transportDataBlock(memory, sqe + SubmissionQueueEntry.DPTR, bytes);
            CapsuleCmd.write(memory, at, queue.headerDigest());
            addHeader(capsule, at, CapsuleCmd.SIZE, (int) PduHeader.plen(memory, at));
        }
        sending = 1;
        queue.sock().send(capsule);
    }

    private boolean alwaysInCapsule(long sqe, long bytes) {
        return bytes <= TcpQueuePair.ADMIN_CAPSULE_DATA
                && SubmissionQueueEntry.opc(memory, sqe) == AdminOpcode.FABRICS;
    }

    /// A header that is `size` bytes long, and with digest and padding `whole`.
    private void addHeader(SendRequest pdu, long header, int size, int whole) {
        if (queue.headerDigest()) {
            LittleEndian.dword(memory, header + size, queue.headerCrc().of(memory, header, size));
        }
        pdu.add(memory, header, whole);
    }

    /// `length` bytes of the data from `from` on, which has been found to have few enough ranges.
    private void addData(SendRequest pdu, long from, long length, int digest) {
        IoVector data = request.data();
        boolean digested = queue.dataDigest();
        if (digested) {
            queue.dataCrc().reset();
        }
        long done = 0;
        for (int i = data.rangeAt(from); done < length; i++) {
            long skip = Math.max(0, from - data.start(i));
            long part = Math.min(data.length(i) - skip, length - done);
            pdu.add(data.segment(i), data.offset(i) + skip, part);
            if (digested) {
                addToDigest(data, i, data.offset(i) + skip, part);
            }
            done += part;
        }
        if (digested) {
            LittleEndian.dword(memory, at + digest, queue.dataCrc().value());
            pdu.add(memory, at + digest, PduHeader.DIGEST_SIZE);
        }
    }

    private void addToDigest(IoVector data, int range, long offset, long length) {
        if (data.segment(range).byteSize() <= Integer.MAX_VALUE) {
            queue.dataCrc().update(data.view(range), offset, length);
        } else {
            queue.dataCrc().update(data.segment(range).asSlice(offset, length), 0, length);
        }
    }

    private void pduSent() {
        sending--;
        if (answered && sending == 0) {
            finish();
        }
    }

    // ---- data for the controller ------------------------------------------------------------------------------

    /// Whether an R2T for these bytes is in order: they follow those that were asked for before.
    boolean mayBeAsked(long offset, long length) {
        return request.transfer() == Opcode.HOST_TO_CONTROLLER && !inCapsule && offset == asked && length > 0
                && length <= request.dataBytes() - asked;
    }

    /// Whether the controller may have the data of the last R2T: it may have one R2T outstanding.
    boolean sentAllAsked() {
        return askedLeft == 0 && (!h2cData.queued() || h2cData.begun());
    }

    void ask(int ttag, long length) {
        transferTag = ttag;
        asked += length;
        askedLeft = length;
        if (!h2cData.queued()) { // else the kernel still holds pages of what the controller has: when it lets go
            sendAsked();
        }
    }

    private void sendAsked() {
        long from = asked - askedLeft;
        long length = lengthOfPdu(from);
        askedLeft -= length;
        long header = at + H2C;
        H2CData.write(memory, header, queue.headerDigest(), queue.dataDigest(), queue.alignment(), askedLeft == 0,
                request.cid(), transferTag, from, length);
        h2cData.clear();
        addHeader(h2cData, header, H2CData.SIZE, PduHeader.pdo(memory, header));
        addData(h2cData, from, length, H2C_DIGEST);
        sending++;
        queue.sock().send(h2cData);
    }

    /// As much as the controller takes at once and a PDU has ranges for; whole dwords, unless it is the rest.
    private long lengthOfPdu(long from) {
        long most = Math.min(askedLeft, queue.maxH2cData());
        IoVector data = request.data();
        int last = data.rangeAt(from) + RANGES - 1;
        if (last >= data.count()) {
            return most;
        }
        long inRanges = Math.min(most, data.start(last) + data.length(last) - from);
        return inRanges == most || inRanges < 4 ? inRanges : inRanges & -4;
    }

    private void dataSent(int errno) {
        if (errno == 0 && askedLeft > 0 && !answered && queue.ready()) {
            sending--;
            sendAsked();
        } else {
            pduSent();
        }
    }

    // ---- data from the controller -----------------------------------------------------------------------------

    /// Whether a C2HData with these bytes is in order: they follow those that came before, and are within the request.
    boolean mayReceive(long offset, long length) {
        return request.transfer() == Opcode.CONTROLLER_TO_HOST && !answered && offset == received
                && length <= request.dataBytes() - received;
    }

    void receive(MemorySegment buffer, long offset, long length) {
        request.data().copyFrom(buffer, offset, received, length);
        received += length;
    }

    /// The data of a PDU do not have the digest that follows them.
    void corrupted() {
        corrupt = true;
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    /// The controller has ended the command.
    void answer(int newStatus, long newResult) {
        status = newStatus == 0 ? queue.checked(this) : newStatus;
        result = newResult;
        end();
    }

    /// The connection is over.
    void abort(int newStatus) {
        if (!answered) {
            status = newStatus;
            result = 0;
            end();
        }
    }

    private void end() {
        answered = true;
        if (sending == 0) {
            finish();
        }
    }

    boolean isAnswered() {
        return answered;
    }

    boolean isCorrupt() {
        return corrupt;
    }

    /// Whether all data have gone, or come, that a successful command has.
    boolean whole() {
        return switch (request.transfer()) {
            case Opcode.CONTROLLER_TO_HOST -> received == request.dataBytes();
            case Opcode.HOST_TO_CONTROLLER -> inCapsule || asked == request.dataBytes();
            default -> true;
        };
    }

    private void finish() {
        long bytes = request.transfer() == Opcode.CONTROLLER_TO_HOST ? received : request.dataBytes();
        queue.finished(request, status, result, bytes);
    }
}
