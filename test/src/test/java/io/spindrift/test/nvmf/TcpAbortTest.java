package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.AbortCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Abort of a write whose data the host has been asked for: it may end when they have come (base specification 2.0, 5.1; dword
/// 0 bit 0 of the Abort's completion is 0 if the command was aborted).
@Timeout(60)
class TcpAbortTest {
    private static final int BYTES = 16_384;

    private LiveTarget target;
    private TcpHost admin;
    private TcpHost host;
    /// A write of ones, and the R2T for it.
    private MemorySegment write;
    private MemorySegment r2t;

    private void start(long timeoutSeconds) throws Exception {
        target = LiveTarget.start("'abort_timeout_sec': " + timeoutSeconds);
        int[] cntlid = new int[1];
        admin = target.admin(false, false, cntlid);
        host = target.io(1, cntlid[0], false, false);
        write = sqe();
        SubmissionQueueEntry.begin(write, 0, NvmOpcode.WRITE, host.nextCid(), 1);
        LbaCommand.set(write, 0, 0, BYTES / 512, 0);
        byte[] ones = new byte[BYTES];
        Arrays.fill(ones, (byte) 1);
        host.submit(write, ones, false, 0);
        r2t = host.receive();
        assertEquals(PduType.R2T, PduHeader.type(r2t, 0));
    }

    @AfterEach
    void stop() throws Exception {
        host.close();
        admin.close();
        target.assertNothingIsLeft();
        target.stop();
    }

    private MemorySegment submitAbort() throws IOException {
        MemorySegment abort = sqe();
        SubmissionQueueEntry.begin(abort, 0, AdminOpcode.ABORT, admin.nextCid(), 0);
        AbortCommand.set(abort, 0, 1, SubmissionQueueEntry.cid(write, 0));
        admin.submit(abort, new byte[0], false, 0);
        return abort;
    }

    private void assertResult(long expected, MemorySegment abort) throws IOException {
        TcpHost.Completion completion = admin.finish(abort);
        assertEquals(0, completion.status());
        assertEquals(expected, completion.dw0());
    }

    private void assertContents(int value) throws IOException {
        byte[] expected = new byte[BYTES];
        Arrays.fill(expected, (byte) value);
        assertArrayEquals(expected, read(host, 0, BYTES).data());
    }

    @Test
    void itIsGivenUpWhenItsDataHaveCome() throws Exception {
        start(4_294_967_295L);
        MemorySegment abort = submitAbort();
        assertResult(1, submitAbort()); // one is waiting already, and so has begun
        host.answer(r2t);
        assertEquals(0x07, host.finish(write).status() & 0x7ff, "Command Abort Requested");
        assertResult(0, abort);
        assertContents(0);
    }

    @Test
    void itIsExecutedIfItsDataComeAfterTheLimit() throws Exception {
        start(1);
        assertResult(1, submitAbort());
        host.answer(r2t);
        assertEquals(0, host.finish(write).status());
        assertContents(1);
    }

    @Test
    void withoutALimitItIsNotGivenUp() throws Exception {
        start(0);
        assertResult(1, submitAbort());
        host.answer(r2t);
        assertEquals(0, host.finish(write).status());
        assertContents(1);
    }

    @Test
    void anAbortEndsWithTheConnectionOfItsCommand() throws Exception {
        start(4_294_967_295L);
        MemorySegment abort = submitAbort();
        assertResult(1, submitAbort());
        host.reset();
        assertResult(1, abort);
    }
}
