package io.spindrift.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.AsyncEvent;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.fabrics.ConnectResponse;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.NamespaceList;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A controller whose pages and properties cannot be true is refused with a sentence, or used as far as it makes sense.
@Timeout(60)
class LyingControllerTest {
    private ScriptedTarget target;
    private Host host;

    @BeforeEach
    void start() throws Exception {
        target = new ScriptedTarget();
        host = new Host();
    }

    @AfterEach
    void stop() throws Exception {
        host.close();
        target.close();
    }

    private void assertRefused(String words) {
        String sentence = assertThrows(NvmeException.class, () -> host.connect(target)).getMessage();
        assertTrue(sentence.contains(words), sentence);
        assertEquals(0, host.driver.controllers().size());
    }

    // ---- properties -------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void refusesCapabilitiesThatReadZeroOrAllOnes(long cap) {
        target.cap = cap;
        assertRefused("its capabilities (CAP) read");
    }

    @Test
    void refusesQueuesOfOneEntry() {
        target.cap = Cap.of(0, 4, 0, 0, 0) | Cap.CSS_NVM;
        assertRefused("queues of 1 entries (CAP.MQES)");
    }

    // ---- Identify Controller ----------------------------------------------------------------------------------

    @Test
    void refusesAControllerWhoseAnaLogWouldBeEndless() {
        target.controllerPage.fill((byte) 0xff);
        IdentifyController.CNTRLTYPE.set(target.controllerPage, 0, ControllerBits.CNTRLTYPE_IO);
        assertRefused("more than the limit of");
    }

    @Test
    void usesAControllerWhosePageIsAllZeroes() throws Exception {
        target.controllerPage.fill((byte) 0);
        NvmeController controller = host.connect(target);
        assertEquals(0, controller.inCapsuleBytes());
        assertEquals(GenericStatus.DATA_TRANSFER_ERROR, host.write(host.queue(controller), 8).status(),
                "without data in the capsule, which this target never asks for");
        assertEquals(0, host.read(host.queue(controller), 8).status());
    }

    @ParameterizedTest
    @CsvSource({"0, 2147483647", "1, 8192", "5, 131072", "18, 1073741824", "19, 2147483647", "255, 2147483647"})
    void takesMdtsAsItIs(int mdts, long bytes) throws Exception {
        IdentifyController.MDTS.set(target.controllerPage, 0, mdts);
        assertEquals(bytes, host.connect(target).maxTransferBytes());
    }

    @Test
    void asksForIdentifyPagesOfOnesAndFindsNoNamespace() throws Exception {
        target.namespacePage.fill((byte) 0xff);
        NvmeController controller = host.connect(target);
        assertEquals(0, controller.namespaces().size());
        assertTrue(host.log().stream().anyMatch(line -> line.contains("namespace 1 is left out: LBADS=255")),
                host.log()::toString);
    }

    @Test
    void findsNoNamespaceInPagesOfZeroes() throws Exception {
        target.namespacePage.fill((byte) 0);
        assertEquals(0, host.connect(target).namespaces().size());
    }

    @ParameterizedTest
    @CsvSource({"8, 2048, 0, 0", "17, 2048, 0, 0", "9, -1, 0, 0", "9, 9223372036854775807, 0, 0", "9, 2048, 4097, 0",
            "9, 2048, 8, 4"})
    void leavesOutANamespaceThatCannotBe(int lbads, long blocks, int metadata, int protection) throws Exception {
        long format = IdentifyNamespace.LBAF.at(0, 0);
        LbaFormat.LBADS.set(target.namespacePage, format, lbads);
        LbaFormat.MS.set(target.namespacePage, format, metadata);
        IdentifyNamespace.NSZE.set(target.namespacePage, 0, blocks);
        IdentifyNamespace.DPS.set(target.namespacePage, 0, protection);
        NvmeController controller = host.connect(target);
        assertEquals(0, controller.namespaces().size());
        assertTrue(host.log().stream().anyMatch(line -> line.contains("namespace 1 is left out")),
                host.log()::toString);
    }

    @Test
    void refusesAListOfNamespacesThatDoesNotAscend() {
        NamespaceList.nsid(target.namespaceList, 0, 0, 5);
        NamespaceList.nsid(target.namespaceList, 0, 1, 5);
        assertRefused("its list of namespaces has 5 after 5");
    }

    @Test
    void refusesAListOfNamespacesOfAllOnes() {
        target.namespaceList.fill((byte) 0xff);
        assertRefused("its list of namespaces has 4294967295 after 0");
    }

    @Test
    void refusesAPageThatIsCutShort() {
        target.onAdmin(AdminOpcode.IDENTIFY, (c, command) -> c.data(command, new byte[100]));
        assertRefused("brought 100 bytes of 4096");
    }

    @Test
    void refusesALogThatIsCutShort() throws Exception {
        NvmeController controller = host.connect(target);
        target.onAdmin(AdminOpcode.GET_LOG_PAGE, (c, command) -> c.data(command,
                new byte[(int) GetLogPageCommand.bytes(command.sqe(), 0) / 2]));
        String sentence = assertThrows(NvmeException.class,
                () -> controller.admin().logPage(Lid.SMART, 0xffffffffL, 512))
                .getMessage();
        assertTrue(sentence.contains("Get Log Page (LID 02h, offset 0) brought 256 bytes of 512"), sentence);
    }

    @Test
    void takesTheSameControllerIdentifierTwice() throws Exception {
        NvmeController one = host.connect(target);
        NvmeController other = host.connect(target);
        assertEquals(one.data().cntlid(), other.data().cntlid());
        assertEquals(0, host.read(host.queue(other), 8).status());
    }

    // ---- ANA --------------------------------------------------------------------------------------------------

    private void withAna(int groups, int namespaces) {
        IdentifyController.CMIC.set(target.controllerPage, 0, ControllerBits.CMIC_ANA);
        IdentifyController.NANAGRPID.set(target.controllerPage, 0, groups);
        IdentifyController.MNAN.set(target.controllerPage, 0, namespaces);
    }

    @Test
    void readsAnAnaLogOf1024NamespacesAtItsExactLength() throws Exception {
        withAna(1, 1024);
        BlockingQueue<Long> asked = new LinkedBlockingQueue<>();
        target.onAdmin(AdminOpcode.GET_LOG_PAGE, (c, command) -> {
            long bytes = GetLogPageCommand.bytes(command.sqe(), 0);
            asked.add(bytes);
            MemorySegment log = MemorySegment.ofArray(new byte[(int) bytes]);
            AnaLog.GROUPS.set(log, 0, 1);
            AnaGroupDescriptor.GROUP_ID.set(log, AnaLog.SIZE, 1);
            AnaGroupDescriptor.NSIDS.set(log, AnaLog.SIZE, 1024);
            AnaGroupDescriptor.STATE.set(log, AnaLog.SIZE, AnaGroupDescriptor.STATE_INACCESSIBLE);
            for (int i = 0; i < 1024; i++) {
                LittleEndian.u32(log, AnaGroupDescriptor.nsidAt(AnaLog.SIZE, i), i + 1);
            }
            c.data(command, log.toArray(ValueLayout.JAVA_BYTE));
        });
        NvmeController controller = host.connect(target);
        assertEquals(16 + 32 + 4 * 1024, asked.poll(), "header, group, and a dword each");
        assertEquals(AnaGroupDescriptor.STATE_INACCESSIBLE, controller.anaState(1024));
        assertEquals(AnaGroupDescriptor.STATE_OPTIMIZED, controller.anaState(1025));
    }

    @ParameterizedTest
    @CsvSource({"65535, 1", "1, 4294967295", "1, 2"})
    void refusesAnAnaLogThatCountsMoreThanItHas(int groups, long nsids) {
        withAna(1, 1);
        target.onAdmin(AdminOpcode.GET_LOG_PAGE, (c, command) -> {
            MemorySegment log = MemorySegment.ofArray(new byte[(int) GetLogPageCommand.bytes(command.sqe(), 0)]);
            AnaLog.GROUPS.set(log, 0, groups);
            AnaGroupDescriptor.NSIDS.set(log, AnaLog.SIZE, nsids);
            c.data(command, log.toArray(ValueLayout.JAVA_BYTE));
        });
        assertRefused("its ANA log counts more than the 52 bytes that it has");
    }

    // ---- later ------------------------------------------------------------------------------------------------

    @Test
    void passesTheErrorsOfAShrunkenNamespaceOn() throws Exception {
        QueuePair queue = host.queue(host.connect(target));
        target.onIo(NvmOpcode.READ,
                (c, command) -> c.complete(command, Status.withDnr(GenericStatus.LBA_OUT_OF_RANGE), 0));
        assertEquals(Status.withDnr(GenericStatus.LBA_OUT_OF_RANGE), host.read(queue, 8).status());
    }

    @Test
    void survivesEventsWithoutEnd() throws Exception {
        target.onAdmin(AdminOpcode.ASYNC_EVENT_REQUEST,
                (c, command) -> c.complete(command, 0, AsyncEvent.dw0(AsyncEvent.TYPE_VENDOR_SPECIFIC, 1, 0)));
        NvmeController controller = host.connect(target);
        assertEquals(0, host.read(host.queue(controller), 8).status());
        assertEquals(4096, controller.admin().identify(1, 0).byteSize());
    }

    @Test
    void refusesSecurityOfAuthentication() {
        target.cntlid = 1 | ConnectResponse.AUTHREQ_ATR;
        assertRefused("asks for authentication");
    }

    @Test
    void refusesWhatIsNoPort() {
        assertEquals("trsvcid=70000 is no TCP port: 1 to 65535 is needed", assertThrows(IllegalArgumentException.class,
                () -> host.driver.connect(TransportId.tcp("127.0.0.1", "70000", Host.NQN),
                        ControllerOptions.defaults(), ControllerListener.IGNORE))
                .getMessage());
    }
}
