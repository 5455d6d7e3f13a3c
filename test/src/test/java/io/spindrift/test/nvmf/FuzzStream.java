package io.spindrift.test.nvmf;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;

/// PDUs of a host that is nearly right: the structure of a session, with anything in its fields. Each follows from a kind and a
/// seed, so that a failure can be repeated and made smaller.
final class FuzzStream {
    /// What a step sends.
    enum Kind {
        /// Commands of either queue with any fields, data in the capsule, or none.
        ADMIN, IO, IN_CAPSULE,
        /// A command with any descriptor of its data.
        DESCRIPTOR, CONNECT, PROPERTY,
        /// Data that nobody has asked for.
        STRAY_DATA, INITIALIZATION, TERMINATION,
        /// One of these with another field in its common header, with flipped bits, cut short; or bytes at random.
        HEADER, BITS, CUT, GARBAGE,
        /// A Write whose R2T is waited for, and answered well, or badly.
        ANSWERED_WRITE, BADLY_ANSWERED_WRITE;

        /// Whether the next PDU begins where the target expects one.
        boolean keepsPace() {
            return this != HEADER && this != BITS && this != CUT && this != GARBAGE;
        }
    }

    /// A part of a session.
    record Step(Kind kind, long seed) {}

    private static final int[] ADMIN_OPCODES = {0x02, 0x06, 0x08, 0x09, 0x0a, 0x0c, 0x18};
    private static final int[] IO_OPCODES = {0x00, 0x01, 0x02, 0x04, 0x05, 0x08, 0x09, 0x0d, 0x0e, 0x11, 0x15, 0x19};
    private static final long[] NUMBERS = {0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0xff, 0x1ff, 0x200, 0x7ff, 0x800, 0xfff,
            0x1000,
            0x1001, 0x1fff, 0x2000, 0x2001, 0x7fff, 0xffff, 0x1_0000, 0x1_ffff, 0x2_0000, 0x2_0001, 0x7fff_ffff,
            0x8000_0000L, 0xffff_fffeL, 0xffff_ffffL};
    private static final Kind[] WELL_FORMED = {Kind.ADMIN, Kind.IO, Kind.IN_CAPSULE, Kind.CONNECT, Kind.STRAY_DATA};

    private final boolean headerDigest;
    private final boolean dataDigest;
    private final String subnqn;

    FuzzStream(boolean headerDigest, boolean dataDigest, String subnqn) {
        this.headerDigest = headerDigest;
        this.dataDigest = dataDigest;
        this.subnqn = subnqn;
    }

    /// The bytes of a step; those of the answered writes are the capsule.
    byte[] bytes(Step step) {
        return bytes(step.kind(), new Random(step.seed()));
    }

    private byte[] bytes(Kind kind, Random random) {
        return switch (kind) {
            case ADMIN -> command(random, ADMIN_OPCODES, 0);
            case IO -> command(random, IO_OPCODES, 0);
            case IN_CAPSULE -> command(random, random.nextBoolean() ? IO_OPCODES : ADMIN_OPCODES,
                    1 + random.nextInt(random.nextInt(4) == 0 ? 8192 : 600));
            case DESCRIPTOR -> descriptor(random);
            case CONNECT -> connect(random);
            case PROPERTY -> property(random);
            case STRAY_DATA -> hostData(random, random.nextInt(0x1_0000), random.nextInt(8), random.nextBoolean(),
                    (int) number(random), 1 + random.nextInt(1000));
            case INITIALIZATION -> initialization(random);
            case TERMINATION -> termination(random);
            case HEADER -> header(random);
            case BITS -> bits(random);
            case CUT -> cut(random);
            case GARBAGE -> garbage(random, 1 + random.nextInt(300));
            case ANSWERED_WRITE, BADLY_ANSWERED_WRITE -> write(random, cid(random));
        };
    }

    /// The identifier of an answered write: no other command has one like it.
    static int cid(Random random) {
        return 0xf000 + random.nextInt(0x1000);
    }

    static long number(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private static byte[] garbage(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    // ---- capsules ---------------------------------------------------------------------------------------------

    private static MemorySegment entry(Random random, int opcode) {
        MemorySegment sqe = MemorySegment.ofArray(new long[SubmissionQueueEntry.SIZE / Long.BYTES]);
        SubmissionQueueEntry.begin(sqe, 0, opcode, random.nextInt(0xf000), random.nextInt(3));
        SubmissionQueueEntry.psdt(sqe, 0, random.nextInt(20) == 0 ? random.nextInt(4) : SubmissionQueueEntry.PSDT_SGL);
        return sqe;
    }

    private byte[] command(Random random, int[] opcodes, int dataLength) {
        int opcode = random.nextInt(10) == 0 ? random.nextInt(256) : opcodes[random.nextInt(opcodes.length)];
        MemorySegment sqe = entry(random, opcode);
        for (int dword = 10; dword < 16; dword++) {
            LittleEndian.u32(sqe, dword * 4L, number(random) & 0xffff_ffffL);
        }
        if (random.nextBoolean()) { // within the disk
            LittleEndian.u32(sqe, 40, random.nextInt(1024));
            LittleEndian.u32(sqe, 44, 0);
            LittleEndian.u16(sqe, 48, random.nextInt(16));
        }
        if (random.nextInt(8) == 0) {
            LittleEndian.u32(sqe, 4, number(random) & 0xffff_ffffL);
        }
        if (dataLength > 0) {
            SglDescriptor.inCapsule(sqe, SubmissionQueueEntry.DPTR, 0, dataLength);
        } else {
            long length = random.nextBoolean() ? LittleEndian.u16(sqe, 48) * 512L + 512 : number(random) & 0xffff_ffffL;
            SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, length);
        }
        return capsule(sqe, garbage(random, dataLength), random);
    }

    private byte[] descriptor(Random random) {
        MemorySegment sqe = entry(random, random.nextInt(3));
        for (long at = SubmissionQueueEntry.DPTR; at < SubmissionQueueEntry.DPTR + SglDescriptor.SIZE; at += 4) {
            LittleEndian.u32(sqe, at, number(random) & 0xffff_ffffL);
        }
        LittleEndian.u8(sqe, SubmissionQueueEntry.DPTR + SglDescriptor.IDENTIFIER, random.nextInt(256));
        return capsule(sqe, garbage(random, random.nextBoolean() ? 0 : random.nextInt(600)), random);
    }

    private byte[] connect(Random random) {
        MemorySegment sqe = entry(random, 0);
        ConnectCommand.write(sqe, 0, random.nextInt(0xf000), random.nextInt(3), 2 + random.nextInt(200),
                random.nextInt(16),
                number(random));
        MemorySegment data = MemorySegment.ofArray(new byte[ConnectData.SIZE]);
        ConnectData.CNTLID.set(data, 0, random.nextInt(4) == 0 ? random.nextInt(0x1_0000) : ConnectData.CNTLID_DYNAMIC);
        ConnectData.SUBNQN.set(data, 0, subnqn);
        ConnectData.HOSTNQN.set(data, 0, TcpHost.HOST_NQN);
        for (int i = random.nextInt(4); i > 0; i--) {
            LittleEndian.u8(data, random.nextInt(ConnectData.SIZE), random.nextInt(256));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            LittleEndian.u8(sqe, 40 + random.nextInt(24), random.nextInt(256));
        }
        SglDescriptor.inCapsule(sqe, SubmissionQueueEntry.DPTR, 0, ConnectData.SIZE);
        return capsule(sqe, data.toArray(ValueLayout.JAVA_BYTE), random);
    }

    private byte[] property(Random random) {
        MemorySegment sqe = entry(random, 0);
        int offset = random.nextBoolean() ? 0x14 : (int) number(random);
        int bytes = random.nextBoolean() ? 4 : 8;
        if (random.nextBoolean()) {
            PropertyCommand.get(sqe, 0, random.nextInt(0xf000), offset, bytes);
        } else {
            PropertyCommand.set(sqe, 0, random.nextInt(0xf000), offset, bytes, number(random));
        }
        if (random.nextInt(8) == 0) {
            LittleEndian.u8(sqe, 4, random.nextInt(256));
        }
        return capsule(sqe, new byte[0], random);
    }

    private byte[] write(Random random, int cid) {
        MemorySegment sqe = entry(random, 1);
        int blocks = 1 + random.nextInt(random.nextInt(4) == 0 ? 256 : 8);
        SubmissionQueueEntry.begin(sqe, 0, 1, cid, 1);
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
        LittleEndian.u32(sqe, 40, random.nextInt(1024));
        LittleEndian.u16(sqe, 48, blocks - 1);
        SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, blocks * 512L);
        return capsule(sqe, new byte[0], random);
    }

    private byte[] capsule(MemorySegment sqe, byte[] data, Random random) {
        MemorySegment header = MemorySegment.ofArray(new byte[CapsuleCmd.SIZE]);
        if (data.length == 0) {
            CapsuleCmd.write(header, 0, headerDigest);
        } else {
            CapsuleCmd.write(header, 0, headerDigest, dataDigest, 4 << random.nextInt(3), data.length);
        }
        MemorySegment.copy(sqe, 0, header, CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
        return pdu(header, data, random);
    }

    // ---- other PDUs -------------------------------------------------------------------------------------------

    byte[] hostData(Random random, int cid, int tag, boolean last, int offset, int length) {
        MemorySegment header = MemorySegment.ofArray(new byte[H2CData.SIZE]);
        H2CData.write(header, 0, headerDigest, dataDigest, 4 << random.nextInt(3), last, cid, tag,
                offset & 0xffff_ffffL,
                length);
        return pdu(header, garbage(random, length), random);
    }

    private static byte[] initialization(Random random) {
        MemorySegment pdu = MemorySegment.ofArray(new byte[IcReq.SIZE]);
        IcReq.write(pdu, 0, random.nextInt(40), random.nextInt(8), number(random) & 0xffff_ffffL);
        return pdu.toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] termination(Random random) {
        int data = random.nextInt(TermReq.MAX_DATA + 10);
        MemorySegment pdu = MemorySegment.ofArray(new byte[TermReq.SIZE + data]);
        TermReq.write(pdu, 0, PduType.H2C_TERM_REQ, random.nextInt(10), random.nextInt(), data);
        return pdu.toArray(ValueLayout.JAVA_BYTE);
    }

    // ---- what is wrong ----------------------------------------------------------------------------------------

    private byte[] wellFormed(Random random) {
        return bytes(WELL_FORMED[random.nextInt(WELL_FORMED.length)], random);
    }

    private byte[] header(Random random) {
        byte[] bytes = wellFormed(random);
        MemorySegment pdu = MemorySegment.ofArray(bytes);
        switch (random.nextInt(5)) {
            case 0 -> LittleEndian.u32(pdu, PduHeader.PLEN, number(random) & 0xffff_ffffL);
            case 1 -> LittleEndian.u32(pdu, PduHeader.PLEN, Math.max(0, bytes.length + random.nextInt(17) - 8));
            default -> LittleEndian.u8(pdu, random.nextInt(4), (int) number(random) & 0xff);
        }
        sign(bytes);
        return bytes;
    }

    private byte[] bits(Random random) {
        byte[] bytes = wellFormed(random);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        if (random.nextBoolean()) {
            sign(bytes);
        }
        return bytes;
    }

    private byte[] cut(Random random) {
        byte[] bytes = wellFormed(random);
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }

    // ---- digests ----------------------------------------------------------------------------------------------

    /// A header, its digest, padding, data and their digest, which is wrong now and then.
    private byte[] pdu(MemorySegment header, byte[] data, Random random) {
        byte[] bytes = new byte[(int) PduHeader.plen(header, 0)];
        MemorySegment.copy(header, ValueLayout.JAVA_BYTE, 0, bytes, 0, (int) header.byteSize());
        sign(bytes);
        if (data.length > 0) {
            int at = PduHeader.pdo(header, 0);
            System.arraycopy(data, 0, bytes, at, data.length);
            if (dataDigest) {
                LittleEndian.dword(MemorySegment.ofArray(bytes), at + data.length,
                        crc(data, data.length) + (random.nextInt(8) == 0 ? 1 : 0));
            }
        }
        return bytes;
    }

    /// Makes the header's digest right, if it has one.
    private void sign(byte[] bytes) {
        int hlen = bytes[PduHeader.HLEN] & 0xff;
        if (headerDigest && hlen + PduHeader.DIGEST_SIZE <= bytes.length) {
            LittleEndian.dword(MemorySegment.ofArray(bytes), hlen, crc(bytes, hlen));
        }
    }

    static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
