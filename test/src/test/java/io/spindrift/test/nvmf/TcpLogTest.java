package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.identify;
import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static io.spindrift.test.nvmf.LiveTarget.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.log.ErrorLogEntry;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.test.nvmf.TcpHost.Completion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Log pages that commands leave something in, and what Identify says of them (base specification 2.0, 5.16 and 5.17).
@Timeout(60)
class TcpLogTest extends HostFixture {
    private static final int MORE = 1 << 13;
    private static final int DNR = 1 << 14;

    private Completion log(int lid, long offset, int bytes) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_LOG_PAGE, admin.nextCid(), 0xffff_ffffL);
        GetLogPageCommand.set(sqe, 0, lid, 0, offset, bytes, false);
        return admin.execute(sqe, new byte[0], false, bytes);
    }

    private MemorySegment page(int lid, int bytes) throws IOException {
        Completion completion = log(lid, 0, bytes);
        assertEquals(0, completion.status());
        return Arena.ofAuto().allocate(bytes, 8).copyFrom(MemorySegment.ofArray(completion.data()));
    }

    @Test
    void keepsTheCommandsThatFailed() throws Exception {
        MemorySegment before = page(Lid.ERROR_INFORMATION, 64);
        assertEquals(0, ErrorLogEntry.ERROR_COUNT.get(before, 0));
        Completion past = read(io, 2048, 512);
        assertEquals(0x80 | MORE | DNR, past.status(), "LBA Out of Range, More, Do Not Retry");
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, 0xc9, 0xfffe, 7);
        assertEquals(0x4001 | MORE, LiveTarget.plain(admin, sqe).status(), "Invalid Command Opcode");
        MemorySegment page = page(Lid.ERROR_INFORMATION, 128 * 64);
        assertEquals(2, ErrorLogEntry.ERROR_COUNT.get(page, 0), "the newest first");
        assertEquals(0, ErrorLogEntry.SQID.get(page, 0));
        assertEquals(0xfffe, ErrorLogEntry.CID.get(page, 0));
        assertEquals((0x4001 | MORE) << 1, ErrorLogEntry.STATUS.get(page, 0));
        assertEquals(7, ErrorLogEntry.NSID.get(page, 0));
        assertEquals(3, ErrorLogEntry.TRTYPE.get(page, 0), "TCP");
        assertEquals(1, ErrorLogEntry.ERROR_COUNT.get(page, 64));
        assertEquals(1, ErrorLogEntry.SQID.get(page, 64));
        assertEquals(past.status() << 1, ErrorLogEntry.STATUS.get(page, 64));
        assertEquals(2048, ErrorLogEntry.LBA.get(page, 64));
        assertEquals(1, ErrorLogEntry.NSID.get(page, 64));
        assertEquals(0, ErrorLogEntry.ERROR_COUNT.get(page, 128), "no more");
        assertEquals(2, page(Lid.SMART, 512).get(ValueLayout.JAVA_LONG, 176),
                "Number of Error Information Log Entries");
        try (TcpHost other = target.admin(false, false, cntlid)) {
            TcpHost first = admin;
            admin = other;
            assertEquals(0, ErrorLogEntry.ERROR_COUNT.get(page(Lid.ERROR_INFORMATION, 64), 0),
                    "another controller has none");
            admin = first;
        }
    }

    /// Base specification 2.0, 5.16.1.3: data units are thousands of 512 bytes, rounded up; other numbers are of commands, and
    /// those that move no data of the host's count for neither. All hosts of the subsystem count together.
    @Test
    void countsWhatHostsHaveReadAndWritten() throws Exception {
        assertHealth(0, 0, 0, 0);
        assertEquals(0, write(io, 0, new byte[512], true).status());
        assertHealth(0, 1, 0, 1);
        for (int i = 0; i < 3; i++) {
            assertEquals(0, write(io, 0, new byte[131_072], false).status()); // 256 units each
        }
        assertEquals(0, write(io, 0, new byte[118_272], false).status()); // 231: 1,000 in all
        assertHealth(0, 1, 0, 5);
        assertEquals(0, write(io, 0, new byte[512], true).status());
        assertHealth(0, 2, 0, 6);
        for (int i = 0; i < 7; i++) {
            assertEquals(0, read(io, 0, 131_072).status()); // 1,792
        }
        assertHealth(2, 2, 7, 6);
        assertEquals(0x80, read(io, 2048, 512).status() & 0x7ff, "LBA Out of Range");
        assertHealth(2, 2, 8, 6);
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE_ZEROES, io.nextCid(), 1);
        LbaCommand.set(sqe, 0, 0, 2048, 0);
        assertEquals(0, LiveTarget.plain(io, sqe).status());
        sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.FLUSH, io.nextCid(), 1);
        assertEquals(0, LiveTarget.plain(io, sqe).status());
        assertHealth(2, 2, 8, 6);
        TcpHost first = admin;
        try (TcpHost other = target.admin(false, false, cntlid);
                TcpHost its = target.io(1, cntlid[0], false, false)) {
            sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.COMPARE, its.nextCid(), 1);
            LbaCommand.set(sqe, 0, 0, 209, 0); // 2,001
            assertEquals(0, its.execute(sqe, new byte[209 * 512], false, 0).status());
            admin = other;
            assertHealth(3, 2, 9, 6);
        } finally {
            admin = first;
        }
    }

    private void assertHealth(long unitsRead, long unitsWritten, long reads, long writes) throws IOException {
        MemorySegment page = page(Lid.SMART, 512);
        assertEquals(unitsRead, page.get(ValueLayout.JAVA_LONG, 32), "Data Units Read");
        assertEquals(unitsWritten, page.get(ValueLayout.JAVA_LONG, 48), "Data Units Written");
        assertEquals(reads, page.get(ValueLayout.JAVA_LONG, 64), "Host Read Commands");
        assertEquals(writes, page.get(ValueLayout.JAVA_LONG, 80), "Host Write Commands");
        assertEquals(0, page.get(ValueLayout.JAVA_LONG, 160), "Media and Data Integrity Errors");
    }

    @Test
    void keepsAsManyAsElpeSays() throws Exception {
        int entries = (identify(admin, Cns.CONTROLLER, 0).get(ValueLayout.JAVA_BYTE, 262) & 0xff) + 1;
        for (int i = 0; i < entries + 5; i++) {
            read(io, 2048 + i, 512);
        }
        MemorySegment page = page(Lid.ERROR_INFORMATION, (entries + 1) * 64);
        assertEquals(entries + 5, ErrorLogEntry.ERROR_COUNT.get(page, 0));
        assertEquals(6, ErrorLogEntry.ERROR_COUNT.get(page, (entries - 1) * 64L));
        assertEquals(0, ErrorLogEntry.ERROR_COUNT.get(page, entries * 64L));
        assertArrayEquals(page.asSlice(64, 64).toArray(ValueLayout.JAVA_BYTE),
                log(Lid.ERROR_INFORMATION, 64, 64).data(), "from the second on");
    }

    /// What every I/O controller must have (base specification 2.0, 3.1.2; NVM command set 1.0, 3), and what it says that
    /// it has.
    @Test
    void saysWhichCommandsThereAre() throws Exception {
        MemorySegment page = page(Lid.COMMANDS_SUPPORTED_AND_EFFECTS, 4096);
        for (int opcode : new int[]{0x02, 0x06, 0x08, 0x09, 0x0a, 0x0c, 0x18}) {
            assertEquals(1, LittleEndian.u32(page, 4L * opcode), "admin command " + opcode);
        }
        for (int opcode : new int[]{0x00, 0x02, 0x05}) {
            assertEquals(1, LittleEndian.u32(page, 1024 + 4L * opcode), "I/O command " + opcode);
        }
        for (int opcode : new int[]{0x01, 0x08, 0x09, 0x19}) {
            assertEquals(3, LittleEndian.u32(page, 1024 + 4L * opcode), "I/O command that changes data " + opcode);
        }
        for (int opcode = 0; opcode < 256; opcode += 4) { // those without data
            MemorySegment sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, opcode, io.nextCid(), 1);
            boolean supported = LittleEndian.u32(page, 1024 + 4L * opcode) != 0;
            assertEquals(supported, (LiveTarget.plain(io, sqe).status() & 0x7ff) != 0x01, "opcode " + opcode);
        }
    }

    @Test
    void hostsAreNotToldOfWhatTheTransportKeepsFromThem() throws Exception {
        stop();
        target = LiveTarget.start("'masked_oncs': ['nvmcmps', 'nvmcpys'], 'masked_fuses': ['fcws']");
        admin = target.admin(false, false, cntlid);
        io = target.io(1, cntlid[0], false, false);
        MemorySegment controller = identify(admin, Cns.CONTROLLER, 0);
        assertEquals(0, controller.get(ValueLayout.JAVA_SHORT, 520) & 0x101, "ONCS: Compare, Copy");
        assertEquals(0, controller.get(ValueLayout.JAVA_SHORT, 522), "FUSES");
        MemorySegment page = page(Lid.COMMANDS_SUPPORTED_AND_EFFECTS, 4096);
        for (int opcode : new int[]{NvmOpcode.COMPARE, NvmOpcode.COPY}) {
            assertEquals(0, LittleEndian.u32(page, 1024 + 4L * opcode));
            MemorySegment sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, opcode, io.nextCid(), 1);
            assertEquals(0x01, io.execute(sqe, new byte[512], true, 0).status() & 0x7ff, "Invalid Command Opcode");
        }
    }

    @Test
    void listsNamespacesAndControllers() throws Exception {
        assertEquals(1, identify(admin, Cns.ALLOCATED_NAMESPACES, 0).get(ValueLayout.JAVA_INT, 0));
        assertEquals(2048, identify(admin, Cns.ALLOCATED_NAMESPACE, 1).get(ValueLayout.JAVA_LONG, 0), "NSZE");
        MemorySegment attached = identify(admin, Cns.ATTACHED_CONTROLLERS, 1);
        assertEquals(1, attached.get(ValueLayout.JAVA_SHORT, 0));
        assertEquals(cntlid[0], attached.get(ValueLayout.JAVA_SHORT, 2));
        assertEquals(1, identify(admin, Cns.COMMAND_SETS, 0).get(ValueLayout.JAVA_LONG, 0), "the NVM command set");
    }
}
