package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.plain;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.test.nvmf.TcpHost.Completion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Get and Set Features, as a host's bytes see them (base specification 2.0, 5.15 and 5.27).
@Timeout(60)
class TcpFeaturesTest {
    private static final int INVALID_FIELD = 0x02;
    private static final int SEQUENCE_ERROR = 0x0c;
    private static final int NOT_SAVEABLE = 0x10d;
    private static final int NOT_NAMESPACE_SPECIFIC = 0x10f;

    private LiveTarget target;
    private final int[] cntlid = new int[1];
    private TcpHost host;

    @BeforeEach
    void start() throws Exception {
        target = LiveTarget.start();
        host = target.admin(false, false, cntlid);
    }

    @AfterEach
    void stop() throws Exception {
        host.close();
        target.stop();
    }

    private Completion get(int fid, int select, int dword) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_FEATURES, host.nextCid(), 0);
        FeatureCommand.get(sqe, 0, fid, select);
        SubmissionQueueEntry.cdw11(sqe, 0, dword);
        return plain(host, sqe);
    }

    private long value(int fid) throws IOException {
        Completion completion = get(fid, FeatureCommand.SEL_CURRENT, 0);
        assertEquals(0, completion.status());
        return completion.dw0();
    }

    private Completion set(int fid, boolean save, long nsid, int dword) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.SET_FEATURES, host.nextCid(), nsid);
        FeatureCommand.set(sqe, 0, fid, save, dword);
        return plain(host, sqe);
    }

    private int set(int fid, int dword) throws IOException {
        return set(fid, false, 0, dword).status() & 0x7ff;
    }

    /// What is set, what is got then, and the default; of Temperature Threshold that of WCTEMP, 343 kelvins.
    @ParameterizedTest
    @CsvSource({"1, 0x07050307, 0x07050307, 0", "2, 0, 0, 0", "4, 0x0150, 0x0150, 343", "5, 10, 10, 0", "6, 0, 0, 1",
            "10, 1, 1, 0", "11, 0x100, 0x100, 0x80000900", "15, 25000, 30000, 120000"})
    void keepsTheValueOfAFeature(int fid, int set, long expected, String defaultText) throws Exception {
        assertEquals(0, set(fid, set));
        assertEquals(expected, value(fid));
        assertEquals(Long.decode(defaultText), get(fid, FeatureCommand.SEL_DEFAULT, 0).dw0());
        assertEquals(Long.decode(defaultText), get(fid, FeatureCommand.SEL_SAVED, 0).dw0(), "none can be saved");
        assertEquals(4, get(fid, FeatureCommand.SEL_CAPABILITIES, 0).dw0(), "changeable, not saveable");
        assertEquals(NOT_SAVEABLE, set(fid, true, 0, set).status() & 0x7ff);
        assertEquals(expected, value(fid));
    }

    @Test
    void refusesValuesThatCannotBe() throws Exception {
        assertEquals(INVALID_FIELD, set(Fid.POWER_MANAGEMENT, 1), "there is power state 0 only");
        assertEquals(INVALID_FIELD, set(Fid.TEMPERATURE_THRESHOLD, 300 | 1 << 16), "there is no sensor 1");
        assertEquals(INVALID_FIELD, set(Fid.TEMPERATURE_THRESHOLD, 300 | 2 << 20), "THSEL 2 is reserved");
        assertEquals(INVALID_FIELD, set(Fid.ERROR_RECOVERY, 1 << 16), "DULBE, which no namespace has");
        assertEquals(INVALID_FIELD, set(Fid.NUMBER_OF_QUEUES, 0xffff), "NSQR FFFFh");
        assertEquals(INVALID_FIELD, set(Fid.NUMBER_OF_QUEUES, 0xffff << 16), "NCQR FFFFh");
        assertEquals(INVALID_FIELD, set(0, 0));
        assertEquals(INVALID_FIELD, set(0x77, 0));
        assertEquals(INVALID_FIELD, set(0xff, 0));
        assertEquals(INVALID_FIELD, get(0x77, 0, 0).status() & 0x7ff);
        assertEquals(INVALID_FIELD, get(0x77, FeatureCommand.SEL_CAPABILITIES, 0).status() & 0x7ff);
        assertEquals(INVALID_FIELD, get(Fid.ARBITRATION, 4, 0).status() & 0x7ff, "SEL 4 is reserved");
        assertEquals(INVALID_FIELD, get(Fid.TEMPERATURE_THRESHOLD, 0, 1 << 16).status() & 0x7ff);
        assertEquals(SEQUENCE_ERROR, set(Fid.HOST_IDENTIFIER, 1), "it came with Connect");
        assertEquals(NOT_NAMESPACE_SPECIFIC, set(Fid.VOLATILE_WRITE_CACHE, false, 1, 0).status() & 0x7ff);
        assertEquals(0, set(Fid.VOLATILE_WRITE_CACHE, false, 0xffff_ffffL, 0).status());
    }

    @Test
    void theUnderThresholdIsAnother() throws Exception {
        assertEquals(0, set(Fid.TEMPERATURE_THRESHOLD, 280 | 1 << 20));
        assertEquals(280, get(Fid.TEMPERATURE_THRESHOLD, 0, 1 << 20).dw0());
        assertEquals(343, value(Fid.TEMPERATURE_THRESHOLD));
    }

    @Test
    void theNumberOfQueuesIsAgreedOnceAndBeforeThereAreAny() throws Exception {
        Completion agreed = set(Fid.NUMBER_OF_QUEUES, false, 0, 3 << 16 | 1);
        assertEquals(0, agreed.status());
        assertEquals(1 << 16 | 1, agreed.dw0(), "two of each, 0's based");
        assertEquals(1 << 16 | 1, value(Fid.NUMBER_OF_QUEUES));
        assertEquals(SEQUENCE_ERROR, set(Fid.NUMBER_OF_QUEUES, 0));
        try (TcpHost other = target.admin(false, false, cntlid);
                TcpHost io = target.io(1, cntlid[0], false, false)) {
            host.close();
            host = other;
            assertEquals(SEQUENCE_ERROR, set(Fid.NUMBER_OF_QUEUES, 0), "there is an I/O queue");
            assertEquals(0, LiveTarget.read(io, 0, 512).status());
        }
    }

    private int setBehavior(byte[] data) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.SET_FEATURES, host.nextCid(), 0);
        FeatureCommand.set(sqe, 0, Fid.HOST_BEHAVIOR_SUPPORT, false, 0);
        return host.execute(sqe, data, true, 0).status() & 0x7ff;
    }

    private byte[] behavior(int select) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_FEATURES, host.nextCid(), 0);
        FeatureCommand.get(sqe, 0, Fid.HOST_BEHAVIOR_SUPPORT, select);
        Completion completion = host.execute(sqe, new byte[0], false, 512);
        assertEquals(0, completion.status());
        return completion.data();
    }

    @Test
    void keepsWhatTheHostHeeds() throws Exception {
        byte[] data = new byte[512];
        assertArrayEquals(data, behavior(FeatureCommand.SEL_CURRENT));
        data[0] = 1; // ACRE
        assertEquals(0, setBehavior(data));
        assertArrayEquals(data, behavior(FeatureCommand.SEL_CURRENT));
        assertArrayEquals(new byte[512], behavior(FeatureCommand.SEL_DEFAULT));
        data[0] = 2;
        assertEquals(INVALID_FIELD, setBehavior(data));
        data[0] = 0;
        data[2] = 1; // LBAFEE
        assertEquals(INVALID_FIELD, setBehavior(data));
        assertEquals(0x0f, setBehavior(new byte[511]), "Data SGL Length Invalid");
    }
}
