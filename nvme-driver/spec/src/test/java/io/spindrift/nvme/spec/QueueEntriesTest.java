package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.command.AbortCommand;
import io.spindrift.nvme.spec.command.CopyCommand;
import io.spindrift.nvme.spec.command.CopyDescriptor;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.command.FirmwareCommand;
import io.spindrift.nvme.spec.command.FormatCommand;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.command.NamespaceAttachment;
import io.spindrift.nvme.spec.command.QueueCommand;
import io.spindrift.nvme.spec.command.ReservationCommand;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Bytes laid out by hand with the figures of the specification. They begin at an odd offset.
class QueueEntriesTest {
    private static final long AT = 3;
    private final MemorySegment segment = MemorySegment.ofArray(new byte[80]).fill((byte) 0xee);

    private void cdw(int dword, int value) {
        LittleEndian.dword(segment, AT + 4L * dword, value);
    }

    @Test
    void submissionQueueEntryBeginsClear() {
        SubmissionQueueEntry.begin(segment, AT, 0x05, 0xbeef, 0xffff_ffffL);
        SubmissionQueueEntry.fuse(segment, AT, SubmissionQueueEntry.FUSE_FIRST);
        SubmissionQueueEntry.psdt(segment, AT, SubmissionQueueEntry.PSDT_SGL);
        assertEquals(Hex.of("eeeeee 05 41 efbe ffffffff") + "00".repeat(56) + "ee", Hex.of(segment, 0, 68));
        assertEquals(1, SubmissionQueueEntry.fuse(segment, AT));
        assertEquals(1, SubmissionQueueEntry.psdt(segment, AT));
        assertEquals(0xbeef, SubmissionQueueEntry.cid(segment, AT));
        assertEquals(4_294_967_295L, SubmissionQueueEntry.nsid(segment, AT));
        SubmissionQueueEntry.fuse(segment, AT, SubmissionQueueEntry.FUSE_SECOND);
        assertEquals(1, SubmissionQueueEntry.psdt(segment, AT));
        assertEquals(0x42, LittleEndian.u8(segment, AT + 1));
    }

    @Test
    void submissionQueueEntryHas16Dwords() {
        SubmissionQueueEntry.begin(segment, AT, 0, 0, 0);
        SubmissionQueueEntry.cdw2(segment, AT, 2);
        SubmissionQueueEntry.cdw3(segment, AT, 3);
        SubmissionQueueEntry.mptr(segment, AT, 5L << 32 | 4);
        SubmissionQueueEntry.prp1(segment, AT, 7L << 32 | 6);
        SubmissionQueueEntry.prp2(segment, AT, 9L << 32 | 8);
        SubmissionQueueEntry.cdw10(segment, AT, 10);
        SubmissionQueueEntry.cdw11(segment, AT, 11);
        SubmissionQueueEntry.cdw12(segment, AT, 12);
        SubmissionQueueEntry.cdw13(segment, AT, 13);
        SubmissionQueueEntry.cdw14(segment, AT, 14);
        SubmissionQueueEntry.cdw15(segment, AT, 15);
        for (int dword = 2; dword < 16; dword++) {
            assertEquals(dword, LittleEndian.dword(segment, AT + 4L * dword));
        }
        assertEquals(3, SubmissionQueueEntry.cdw3(segment, AT));
        assertEquals(9L << 32 | 8, SubmissionQueueEntry.prp2(segment, AT));
        assertEquals(15, SubmissionQueueEntry.cdw15(segment, AT));
    }

    @Test
    void completionQueueEntryShiftsTheStatusOverThePhase() {
        int status = Status.withDnr(GenericStatus.LBA_OUT_OF_RANGE);
        CompletionQueueEntry.write(segment, AT, 0x0102_0304, 5, 0x1122, 0x3344, 0x5566, status);
        assertEquals(Hex.of("04030201 05000000 2211 4433 6655 0081"), Hex.of(segment, AT, 16));
        assertEquals(0x5566, CompletionQueueEntry.cid(segment, AT));
        assertEquals(0x1122, CompletionQueueEntry.sqhd(segment, AT));
        assertEquals(0x3344, CompletionQueueEntry.sqid(segment, AT));
        assertEquals(0x4080, CompletionQueueEntry.status(segment, AT));
        assertEquals(0, CompletionQueueEntry.phase(segment, AT));
        assertEquals(0x0000_0005_0102_0304L, CompletionQueueEntry.result(segment, AT));
        LittleEndian.u8(segment, AT + 14, 1);
        assertEquals(1, CompletionQueueEntry.phase(segment, AT));
        assertEquals(0x4080, CompletionQueueEntry.status(segment, AT));
    }

    @Test
    void sglDescriptorsHaveTheirTypeLast() {
        SglDescriptor.dataBlock(segment, AT, 0x1122_3344_5566_7788L, 0x1000);
        assertEquals(Hex.of("8877665544332211 00100000 000000 00"), Hex.of(segment, AT, 16));
        SglDescriptor.inCapsule(segment, AT, 0, 0x2000);
        assertEquals(Hex.of("0000000000000000 00200000 000000 01"), Hex.of(segment, AT, 16));
        SglDescriptor.transportDataBlock(segment, AT, 0xffff_ffffL);
        assertEquals(Hex.of("0000000000000000 ffffffff 000000 5a"), Hex.of(segment, AT, 16));
        assertEquals(0xffff_ffffL, SglDescriptor.length(segment, AT));
        assertEquals(SglDescriptor.TYPE_TRANSPORT_DATA_BLOCK, SglDescriptor.type(segment, AT));
        assertEquals(SglDescriptor.SUBTYPE_TRANSPORT, SglDescriptor.subtype(segment, AT));
        SglDescriptor.segment(segment, AT, 0x10, 32);
        assertEquals(0x20, LittleEndian.u8(segment, AT + 15));
        SglDescriptor.lastSegment(segment, AT, 0x10, 32);
        assertEquals(0x30, LittleEndian.u8(segment, AT + 15));
        SglDescriptor.bitBucket(segment, AT, 32);
        assertEquals(0x10, LittleEndian.u8(segment, AT + 15));
    }

    @Test
    void keyedSglDescriptorsHaveThreeBytesOfLength() {
        SglDescriptor.keyedDataBlock(segment, AT, 0x1000, 0x01_0203, 0x8877_6655, SglDescriptor.SUBTYPE_INVALIDATE_KEY);
        assertEquals(Hex.of("0010000000000000 030201 55667788 4f"), Hex.of(segment, AT, 16));
        assertEquals(0x1000, SglDescriptor.address(segment, AT));
        assertEquals(0x01_0203, SglDescriptor.keyedLength(segment, AT));
        assertEquals(0x8877_6655, SglDescriptor.key(segment, AT));
        assertEquals(SglDescriptor.TYPE_KEYED_DATA_BLOCK, SglDescriptor.type(segment, AT));
    }

    @Test
    void adminCommandsAreTakenApart() {
        cdw(10, 0xfedc_0013);
        cdw(11, 0x0200_0044);
        cdw(14, 0x0000_0085);
        assertEquals(0x13, IdentifyCommand.cns(segment, AT));
        assertEquals(0xfedc, IdentifyCommand.cntid(segment, AT));
        assertEquals(0x44, IdentifyCommand.cnssid(segment, AT));
        assertEquals(2, IdentifyCommand.csi(segment, AT));
        assertEquals(5, IdentifyCommand.uuidx(segment, AT));

        cdw(10, 0xffff_8f0c);
        cdw(11, 0x1234_ffff);
        cdw(12, 0x89ab_cdef);
        cdw(13, 0x0123_4567);
        cdw(14, 0x0280_0000);
        assertEquals(0x0c, GetLogPageCommand.lid(segment, AT));
        assertEquals(0x0f, GetLogPageCommand.lsp(segment, AT));
        assertEquals(true, GetLogPageCommand.rae(segment, AT));
        assertEquals(1L << 34, GetLogPageCommand.bytes(segment, AT));
        assertEquals(0x1234, GetLogPageCommand.lsi(segment, AT));
        assertEquals(0x0123_4567_89ab_cdefL, GetLogPageCommand.lpo(segment, AT));
        assertEquals(true, GetLogPageCommand.indexOffset(segment, AT));
        assertEquals(2, GetLogPageCommand.csi(segment, AT));

        cdw(10, 0x8000_0307);
        assertEquals(7, FeatureCommand.fid(segment, AT));
        assertEquals(3, FeatureCommand.sel(segment, AT));
        assertEquals(true, FeatureCommand.sv(segment, AT));

        AbortCommand.set(segment, AT, 0x8001, 0xffee);
        assertEquals(0xffee_8001, SubmissionQueueEntry.cdw10(segment, AT));
        assertEquals(0x8001, AbortCommand.sqid(segment, AT));
        assertEquals(0xffee, AbortCommand.cid(segment, AT));
    }

    @Test
    void queueCommandsCountEntriesFromOne() {
        QueueCommand.createCompletionQueue(segment, AT, 3, 65_536, 7);
        assertEquals(0xffff_0003, SubmissionQueueEntry.cdw10(segment, AT));
        assertEquals(0x0007_0003, SubmissionQueueEntry.cdw11(segment, AT));
        assertEquals(65_536, QueueCommand.size(segment, AT));
        assertEquals(7, QueueCommand.iv(segment, AT));
        assertEquals(true, QueueCommand.interruptsEnabled(segment, AT));
        QueueCommand.createCompletionQueue(segment, AT, 3, 2, -1);
        assertEquals(1, SubmissionQueueEntry.cdw11(segment, AT));
        QueueCommand.createSubmissionQueue(segment, AT, 0xfffe, 2, 0x8003);
        assertEquals(0x0001_fffe, SubmissionQueueEntry.cdw10(segment, AT));
        assertEquals(0x8003_0001, SubmissionQueueEntry.cdw11(segment, AT));
        assertEquals(0xfffe, QueueCommand.qid(segment, AT));
        assertEquals(0x8003, QueueCommand.cqid(segment, AT));
        assertEquals(true, QueueCommand.contiguous(segment, AT));
    }

    @Test
    void managementCommandsAreTakenApart() {
        cdw(10, 0x2575);
        assertEquals(0x25, FormatCommand.format(segment, AT));
        assertEquals(true, FormatCommand.extendedMetadata(segment, AT));
        assertEquals(3, FormatCommand.pi(segment, AT));
        assertEquals(true, FormatCommand.protectionFirst(segment, AT));
        assertEquals(FormatCommand.SES_CRYPTOGRAPHIC, FormatCommand.ses(segment, AT));
        cdw(10, 1);
        assertEquals(NamespaceAttachment.SEL_DETACH, NamespaceAttachment.sel(segment, AT));
        cdw(10, 0xffff_ffff);
        cdw(11, 0xffff_ffff);
        assertEquals(1L << 34, FirmwareCommand.bytes(segment, AT));
        assertEquals((1L << 34) - 4, FirmwareCommand.offset(segment, AT));
        cdw(10, 0b011_101);
        assertEquals(5, FirmwareCommand.slot(segment, AT));
        assertEquals(FirmwareCommand.CA_ACTIVATE_NOW, FirmwareCommand.action(segment, AT));
    }

    @Test
    void blockCommandsAreTakenApart() {
        cdw(10, 0x89ab_cdef);
        cdw(11, 0x8123_4567);
        cdw(12, 0xe8a0_ffff);
        cdw(13, 0x1234_0042);
        cdw(14, 0x8000_0001);
        cdw(15, 0xfedc_ba98);
        assertEquals(0x8123_4567_89ab_cdefL, LbaCommand.slba(segment, AT));
        assertEquals(65_536, LbaCommand.blocks(segment, AT));
        assertEquals(0b1010, LbaCommand.prinfo(segment, AT));
        assertEquals(LbaCommand.LR | LbaCommand.FUA | LbaCommand.PRACT | LbaCommand.PRCHK_APPLICATION_TAG,
                LbaCommand.flags(segment, AT) & 0xff00_0000);
        assertEquals(0xa, LbaCommand.dtype(segment, AT));
        assertEquals(0x42, LbaCommand.dsm(segment, AT));
        assertEquals(0x1234, LbaCommand.dspec(segment, AT));
        assertEquals(0x8000_0001, LbaCommand.lbrt(segment, AT));
        assertEquals(0xba98, LbaCommand.lbat(segment, AT));
        assertEquals(0xfedc, LbaCommand.lbatm(segment, AT));
    }

    @Test
    void rangesOfBlocksAreKept() {
        cdw(10, 0xff);
        cdw(11, 0x6);
        assertEquals(256, DatasetManagement.ranges(segment, AT));
        assertEquals(DatasetManagement.AD | DatasetManagement.IDW, DatasetManagement.attributes(segment, AT));
        DatasetManagement.range(segment, AT, 0x0102_0304_0506_0708L, 0xffff_fffeL);
        assertEquals(Hex.of("00000000 feffffff 0807060504030201"), Hex.of(segment, AT, 16));
        assertEquals(0xffff_fffeL, DatasetManagement.rangeBlocks(segment, AT));
        assertEquals(0x0102_0304_0506_0708L, DatasetManagement.rangeSlba(segment, AT));
        assertEquals(0, DatasetManagement.rangeAttributes(segment, AT));
    }

    @Test
    void copyIsTakenApart() {
        cdw(10, 0x89ab_cdef);
        cdw(11, 0x0123_4567);
        cdw(12, 0x2c00_a110);
        assertEquals(0x0123_4567_89ab_cdefL, CopyCommand.sdlba(segment, AT));
        assertEquals(17, CopyCommand.ranges(segment, AT));
        assertEquals(1, CopyCommand.desfmt(segment, AT));
        assertEquals(0xa, CopyCommand.prinfor(segment, AT));
        assertEquals(0xb, CopyCommand.prinfow(segment, AT));
        assertEquals(0, CopyCommand.flags(segment, AT) & (LbaCommand.FUA | LbaCommand.LR));
    }

    /// SPDK has the tags of format 0 at 28 and 30; libnvme 1.3 the other way round.
    @Test
    void copyDescriptorsHaveTheirTagsLast() {
        CopyDescriptor.write(segment, AT, 1, 0x0102_0304_0506_0708L, 65_536);
        assertEquals("00".repeat(8) + Hex.of("0807060504030201 ffff") + "00".repeat(22) + "ee",
                Hex.of(segment, AT, 41));
        assertEquals(65_536, CopyDescriptor.blocks(segment, AT));
        assertEquals(0x0102_0304_0506_0708L, CopyDescriptor.slba(segment, AT));
        MemorySegment format0 = Hex.parse("00".repeat(24) + "04030201 0605 0807");
        assertEquals(0x0102_0304, CopyDescriptor.eilbrt(format0, 0));
        assertEquals(0x0506, CopyDescriptor.elbat(format0, 0, 0));
        assertEquals(0x0708, CopyDescriptor.elbatm(format0, 0, 0));
        MemorySegment format1 = Hex.parse("00".repeat(36) + "0605 0807");
        assertEquals(0x0506, CopyDescriptor.elbat(format1, 0, 1));
        assertEquals(0x0708, CopyDescriptor.elbatm(format1, 0, 1));
        assertEquals(0, CopyDescriptor.size(2));
    }

    @Test
    void reservationsAreTakenApart() {
        cdw(10, 0xc000_000a);
        assertEquals(ReservationCommand.RREGA_REPLACE, ReservationCommand.action(segment, AT));
        assertEquals(true, ReservationCommand.iekey(segment, AT));
        assertEquals(ReservationCommand.CPTPL_PERSIST, ReservationCommand.cptpl(segment, AT));
        cdw(10, 0x0601);
        assertEquals(6, ReservationCommand.rtype(segment, AT));
        assertEquals(false, ReservationCommand.iekey(segment, AT));
        cdw(10, 0xffff_ffff);
        cdw(11, 1);
        assertEquals(1L << 34, ReservationCommand.reportBytes(segment, AT));
        assertEquals(true, ReservationCommand.eds(segment, AT));
        ReservationCommand.keys(segment, AT, 0x0102_0304_0506_0708L, 9);
        assertEquals(Hex.of("0807060504030201 0900000000000000"), Hex.of(segment, AT, 16));
        assertEquals(0x0102_0304_0506_0708L, ReservationCommand.crkey(segment, AT));
        assertEquals(9, ReservationCommand.prkey(segment, AT));
        assertEquals(9, ReservationCommand.nrkey(segment, AT));
    }
}
