package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// Takes the bytes that arrive from a peer apart into PDUs, in pieces of any size, for either end.
///
/// Headers that are whole in a buffer are looked at where they are; only torn ones are gathered. It knows the form of a PDU
/// and its digests, not when a peer may send which: that is its [PduHandler]'s.
///
/// One thread. It allocates nothing and throws nothing, whatever arrives.
public final class PduReader {
    private enum State {
        /// The header is not whole.
        HEADER,
        /// It is, and is gathered, but the handler could not take it.
        OFFER, PADDING, DATA, DIGEST, BROKEN
    }

    private static final long LONGEST_HEADER = IcReq.SIZE + PduHeader.DIGEST_SIZE;

    private final PduHandler handler;
    private final boolean fromHost;
    private final MemorySegment gathered;
    private final Crc32c crc = new Crc32c();
    private final Crc32c tornCrc = new Crc32c();
    private boolean headerDigest;
    private boolean dataDigest;
    private int alignment = 1;
    private long maxCapsuleData;
    private long maxTransferData;

    private State state = State.HEADER;
    private int gatheredBytes;
    /// With its digest; known when the common header is.
    private int headerBytes;
    private int type;
    private long dataLength;
    private long position;
    private long paddingLeft;
    private boolean digested;

    /// A reader of what a host sends, or a controller. It keeps a torn header in memory of `allocator`.
    public PduReader(PduHandler handler, boolean fromHost, SegmentAllocator allocator) {
        this.handler = handler;
        this.fromHost = fromHost;
        this.gathered = allocator.allocate(LONGEST_HEADER, Long.BYTES);
    }

    /// What the first two PDUs have agreed upon: digests, and the multiple that PDO must be of (see
    /// [PduRules#alignment(int)]). From the next PDU on.
    public void agree(boolean withHeaderDigest, boolean withDataDigest, int pdoAlignment) {
        headerDigest = withHeaderDigest;
        dataDigest = withDataDigest;
        alignment = pdoAlignment;
    }

    /// The most data that a command capsule may carry, and a data PDU; 0 at first. From the next PDU on.
    public void limits(long capsuleData, long transferData) {
        maxCapsuleData = capsuleData;
        maxTransferData = transferData;
    }

    /// Whether a PDU waits until its handler can take it.
    public boolean waiting() {
        return state == State.OFFER;
    }

    /// Whether it is in the middle of a PDU: a peer that ends or falls silent here leaves something undone.
    public boolean insidePdu() {
        return state != State.BROKEN && (state != State.HEADER || gatheredBytes > 0);
    }

    /// Reads `length` bytes at `offset` of `buffer`, and returns how many were used: all, unless a PDU has to wait or the
    /// peer has broken a rule. With a length of 0 a PDU that waits is offered again.
    public long read(MemorySegment buffer, long offset, long length) {
        long end = offset + length;
        long at = offset;
        if (state == State.OFFER) {
            offer(gathered, 0);
        }
        while (at < end && state != State.OFFER && state != State.BROKEN) {
            at = switch (state) {
                case HEADER -> readHeader(buffer, at, end);
                case PADDING -> skipPadding(at, end);
                case DATA -> readData(buffer, at, end);
                default -> readDigest(buffer, at, end);
            };
        }
        return at - offset;
    }

    /// Ends it: nothing is read or told any more. From inside of the handler, too.
    public void stop() {
        state = State.BROKEN;
    }

    /// Ends it: the PDU that is being handled breaks a rule. Tells [PduHandler#violated]. Does nothing once broken.
    public void violate(int fes, int fei) {
        violate(fes, fei, gathered, 0, 0);
    }

    /// As [#violate(int, int)], inside of [PduHandler#header], whose header is sent back to the peer.
    public void violate(int fes, int fei, MemorySegment pdu, long at) {
        violate(fes, fei, pdu, at, PduHeader.hlen(pdu, at));
    }

    private void violate(int fes, int fei, MemorySegment pdu, long at, int length) {
        if (state != State.BROKEN) {
            state = State.BROKEN;
            handler.violated(fes, fei, pdu, at, length);
        }
    }

    // ---- header -----------------------------------------------------------------------------------------------

    private long readHeader(MemorySegment buffer, long at, long end) {
        if (gatheredBytes == 0 && end - at >= PduHeader.SIZE) {
            if (!begin(buffer, at)) {
                return end;
            }
            if (end - at >= headerBytes) {
                headerWhole(buffer, at);
                return at + headerBytes;
            }
        }
        return gather(buffer, at, end);
    }

    private long gather(MemorySegment buffer, long at, long end) {
        int wanted = gatheredBytes < PduHeader.SIZE ? PduHeader.SIZE : headerBytes;
        int part = (int) Math.min(wanted - gatheredBytes, end - at);
        MemorySegment.copy(buffer, at, gathered, gatheredBytes, part);
        gatheredBytes += part;
        if (gatheredBytes == PduHeader.SIZE && begin(gathered, 0) || gatheredBytes < wanted) {
            return at + part;
        }
        if (state != State.BROKEN) {
            headerWhole(gathered, 0);
        }
        return at + part;
    }

    /// Looks at the common header; false if it is wrong.
    private boolean begin(MemorySegment pdu, long at) {
        type = PduHeader.type(pdu, at);
        boolean carriesDigests = carriesDigests(type);
        boolean withHeaderDigest = headerDigest && carriesDigests;
        boolean withDataDigest = dataDigest && carriesDigests;
        int wrong = PduRules.invalidField(pdu, at, fromHost, withHeaderDigest, withDataDigest, alignment,
                type == PduType.CAPSULE_CMD ? maxCapsuleData : maxTransferData);
        if (wrong != PduRules.VALID) {
            if (wrong == PduHeader.PLEN && exceedsTransfer(pdu, at, withHeaderDigest, withDataDigest)) {
                violate(TermReq.FES_DATA_TRANSFER_LIMIT_EXCEEDED, 0, pdu, at, PduHeader.SIZE);
            } else {
                violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, wrong, pdu, at, PduHeader.SIZE);
            }
            return false;
        }
        int hlen = PduHeader.hlen(pdu, at);
        headerBytes = hlen + (withHeaderDigest ? PduHeader.DIGEST_SIZE : 0);
        if (isTermination(type)) {
            dataLength = PduHeader.plen(pdu, at) - hlen;
            paddingLeft = 0;
        } else {
            dataLength = PduRules.dataLength(pdu, at, withHeaderDigest, withDataDigest);
            paddingLeft = dataLength == 0 ? 0 : PduHeader.pdo(pdu, at) - headerBytes;
        }
        digested = withDataDigest && dataLength > 0;
        if (carriesDigests && !flagsMatch(PduHeader.flags(pdu, at))) {
            violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.FLAGS, pdu, at, PduHeader.SIZE);
            return false;
        }
        return true;
    }

    /// Whether a host's data PDU has more than MAXH2CDATA, which has a status of its own.
    private boolean exceedsTransfer(MemorySegment pdu, long at, boolean withHeaderDigest, boolean withDataDigest) {
        return type == PduType.H2C_DATA
                && PduRules.dataLength(pdu, at, withHeaderDigest, withDataDigest) > maxTransferData;
    }

    /// Of a PDU without data the flag of the data digest says nothing.
    private boolean flagsMatch(int flags) {
        return (flags & PduHeader.HDGSTF) != 0 == headerDigest
                && (dataLength == 0 || (flags & PduHeader.DDGSTF) != 0 == dataDigest);
    }

    private static boolean carriesDigests(int type) {
        return type != PduType.IC_REQ && type != PduType.IC_RESP && !isTermination(type);
    }

    private static boolean isTermination(int type) {
        return type == PduType.H2C_TERM_REQ || type == PduType.C2H_TERM_REQ;
    }

    private void headerWhole(MemorySegment pdu, long at) {
        int hlen = PduHeader.hlen(pdu, at);
        if (headerBytes > hlen) {
            int received = LittleEndian.dword(pdu, at + hlen);
            Crc32c headerCrc = pdu == gathered ? tornCrc : crc;
            if (headerCrc.of(pdu, at, hlen) != received) {
                violate(TermReq.FES_HEADER_DIGEST_ERROR, received, pdu, at, hlen);
                return;
            }
        }
        offer(pdu, at);
    }

    private void offer(MemorySegment pdu, long at) {
        boolean taken = handler.header(type, pdu, at, dataLength);
        if (state == State.BROKEN) {
            return;
        }
        if (!taken) {
            if (pdu != gathered) {
                MemorySegment.copy(pdu, at, gathered, 0, headerBytes);
                gatheredBytes = headerBytes;
            }
            state = State.OFFER;
            return;
        }
        gatheredBytes = 0;
        position = 0;
        if (digested) {
            crc.reset();
        }
        if (dataLength == 0) {
            end(true);
        } else {
            state = paddingLeft > 0 ? State.PADDING : State.DATA;
        }
    }

    // ---- data -------------------------------------------------------------------------------------------------

    private long skipPadding(long at, long end) {
        long part = Math.min(paddingLeft, end - at);
        paddingLeft -= part;
        if (paddingLeft == 0) {
            state = State.DATA;
        }
        return at + part;
    }

    private long readData(MemorySegment buffer, long at, long end) {
        long part = Math.min(dataLength - position, end - at);
        if (digested) {
            crc.update(buffer, at, part);
        }
        long from = position;
        position += part;
        handler.data(buffer, at, part, from);
        if (state != State.BROKEN && position == dataLength) {
            if (digested) {
                state = State.DIGEST;
            } else {
                end(true);
            }
        }
        return at + part;
    }

    private long readDigest(MemorySegment buffer, long at, long end) {
        int part = (int) Math.min(PduHeader.DIGEST_SIZE - gatheredBytes, end - at);
        MemorySegment.copy(buffer, at, gathered, gatheredBytes, part);
        gatheredBytes += part;
        if (gatheredBytes == PduHeader.DIGEST_SIZE) {
            gatheredBytes = 0;
            end(LittleEndian.dword(gathered, 0) == crc.value());
        }
        return at + part;
    }

    private void end(boolean intact) {
        state = State.HEADER;
        handler.end(type, intact);
    }
}
