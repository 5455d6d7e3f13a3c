package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.identify;
import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static io.spindrift.test.nvmf.LiveTarget.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.CopyCommand;
import io.spindrift.nvme.spec.command.CopyDescriptor;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Copy and the limits of commands with ranges, as a host's bytes see them (NVM command set 1.0, 3.2.2 and 3.2.3).
@Timeout(60)
class TcpCopyTest extends HostFixture {
    private static final int LBA_OUT_OF_RANGE = 0x80;
    private static final int SIZE_LIMIT_EXCEEDED = 0x183;

    @Override
    long blocks() {
        return 200_000;
    }

    /// `sources` are first blocks and numbers of blocks.
    private int copyAs(long to, int format, int ranges, long... sources) throws IOException {
        MemorySegment list = Arena.ofAuto().allocate(32L * sources.length / 2);
        for (int i = 0; i < sources.length; i += 2) {
            CopyDescriptor.write(list, 16L * i, 0, sources[i], (int) sources[i + 1]);
        }
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.COPY, io.nextCid(), 1);
        CopyCommand.set(sqe, 0, to, ranges, format);
        byte[] data = list.toArray(ValueLayout.JAVA_BYTE);
        return io.execute(sqe, data, data.length <= 4096, 0).status() & 0x7ff;
    }

    private int copy(long to, long... sources) throws IOException {
        return copyAs(to, 0, sources.length / 2, sources);
    }

    @Test
    void copiesRangesOneAfterTheOther() throws Exception {
        byte[] data = new byte[8 * 512];
        new Random(3).nextBytes(data);
        assertEquals(0, write(io, 100, data, true).status());
        assertEquals(0, copy(1000, 104, 2, 100, 1, 107, 1));
        byte[] expected = new byte[4 * 512];
        System.arraycopy(data, 4 * 512, expected, 0, 1024);
        System.arraycopy(data, 0, expected, 1024, 512);
        System.arraycopy(data, 7 * 512, expected, 1536, 512);
        assertArrayEquals(expected, read(io, 1000, 2048).data());
        assertArrayEquals(data, read(io, 100, 4096).data(), "the source is as before");
        long[] many = new long[2 * 128];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = 100;
            many[i + 1] = 1;
        }
        assertEquals(0, copy(2000, many), "as many ranges as MSRC says");
        assertArrayEquals(Arrays.copyOf(data, 512), read(io, 2127, 512).data());
    }

    @Test
    void refusesWhatIsPastALimit() throws Exception {
        MemorySegment controller = identify(admin, Cns.CONTROLLER, 0);
        assertEquals(1 << 8, controller.get(ValueLayout.JAVA_SHORT, 520) & 1 << 8, "ONCS bit 8: Copy");
        assertEquals(1, controller.get(ValueLayout.JAVA_SHORT, 534), "OCFS: format 0");
        MemorySegment namespace = identify(admin, Cns.NAMESPACE, 1);
        long mssrl = IdentifyNamespace.MSSRL.get(namespace, 0);
        long mcl = IdentifyNamespace.MCL.get(namespace, 0);
        int msrc = IdentifyNamespace.MSRC.get(namespace, 0);
        assertEquals(0, copy(100_000, 0, mssrl), "as long as MSSRL says");
        assertEquals(SIZE_LIMIT_EXCEEDED, copy(100_000, 0, mssrl + 1));
        int most = (int) (mcl / mssrl);
        long[] sources = new long[2 * (most + 1)];
        for (int i = 0; i < sources.length; i += 2) {
            sources[i + 1] = mssrl;
        }
        assertEquals(SIZE_LIMIT_EXCEEDED, copy(0, sources), "more than MCL");
        assertEquals(SIZE_LIMIT_EXCEEDED, copyAs(0, 0, msrc + 2, new long[2 * (msrc + 2)]), "more than MSRC");
    }

    @Test
    void refusesWhatIsNotThere() throws Exception {
        assertEquals(LBA_OUT_OF_RANGE, copy(0, 199_999, 2));
        assertEquals(LBA_OUT_OF_RANGE, copy(199_999, 0, 2));
        assertEquals(LBA_OUT_OF_RANGE, copy(-1, 0, 1));
        assertEquals(LBA_OUT_OF_RANGE, copy(0, 0, 1, Long.MIN_VALUE, 1));
        assertEquals(0x02, copyAs(0, 1, 1, 0, 1), "format 1 is for other guards: Invalid Field in Command");
        assertEquals(0x02, copyAs(0, 15, 1, 0, 1), "no such format: Invalid Field in Command");
        assertEquals(0x0f, copyAs(0, 0, 4, 0, 1), "fewer ranges than NR says: Data SGL Length Invalid");
        assertEquals(0, copy(0, 1, 1));
    }

    /// WZSL: Invalid Field in Command; DMRSL: Command Size Limit Exceeded (NVM command set 1.0, 4.1.5.4).
    @Test
    void refusesMoreZeroesOrDeallocationThanItSays() throws Exception {
        target.program.call("nvmf_create_subsystem", "{'nqn': 'nqn.2016-06.io.spdk:small', 'allow_any_host': true,"
                + " 'wzsl': 1, 'dmrsl': 16}");
        target.program.call("bdev_malloc_create", "{'name': 'Malloc1', 'num_blocks': 2048, 'block_size': 512}");
        target.program.call("nvmf_subsystem_add_ns",
                "{'nqn': 'nqn.2016-06.io.spdk:small', 'namespace': {'bdev_name': 'Malloc1'}}");
        target.program.call("nvmf_subsystem_add_listener",
                "{'nqn': 'nqn.2016-06.io.spdk:small', 'listen_address': " + target.address() + "}");
        int[] cntlid = new int[1];
        try (TcpHost smallAdmin = target.admin("nqn.2016-06.io.spdk:small", false, false, cntlid);
                TcpHost small = target.io("nqn.2016-06.io.spdk:small", 1, cntlid[0], false, false)) {
            assertLimits(16, limits(smallAdmin));
            assertEquals(0, zeroes(small, 16));
            assertEquals(0x02, zeroes(small, 17));
            assertEquals(0, deallocate(small, 16));
            assertEquals(SIZE_LIMIT_EXCEEDED, deallocate(small, 17));
            assertEquals(LBA_OUT_OF_RANGE, zeroes(io, 65_536, 199_999));
            LiveTarget.assertAlive(smallAdmin);
        }
    }

    /// The I/O command set specific Identify Controller data.
    private static MemorySegment limits(TcpHost on) throws IOException {
        return LiveTarget.identify(on, Cns.COMMAND_SET_CONTROLLER, 0);
    }

    /// DMRL, DMRSL and DMSL, bytes 3, 7:4 and 15:8 (NVM command set 1.0, 4.1.5.4): ranges, blocks of each, and of all.
    private static void assertLimits(int dmrsl, MemorySegment page) {
        int dmrl = page.get(ValueLayout.JAVA_BYTE, 3) & 0xff;
        assertEquals(255, dmrl);
        assertEquals(dmrsl, page.get(ValueLayout.JAVA_INT, 4));
        assertEquals((long) dmrl * dmrsl, page.get(ValueLayout.JAVA_LONG, 8));
    }

    private static int zeroes(TcpHost on, int blocks) throws IOException {
        return zeroes(on, blocks, 0);
    }

    private static int zeroes(TcpHost on, int blocks, long first) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE_ZEROES, on.nextCid(), 1);
        LbaCommand.set(sqe, 0, first, Math.min(blocks, 32_768), 0);
        return LiveTarget.plain(on, sqe).status() & 0x7ff;
    }

    private static int deallocate(TcpHost on, int blocks) throws IOException {
        MemorySegment list = Arena.ofAuto().allocate(16);
        list.set(ValueLayout.JAVA_INT, 4, blocks);
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.DATASET_MANAGEMENT, on.nextCid(), 1);
        DatasetManagement.set(sqe, 0, 1, DatasetManagement.AD);
        return on.execute(sqe, list.toArray(ValueLayout.JAVA_BYTE), true, 0).status() & 0x7ff;
    }
}
