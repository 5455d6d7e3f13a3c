package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.command.RegisteredControllerExtended;
import io.spindrift.nvme.spec.command.ReservationStatus;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceIndependent;
import io.spindrift.nvme.spec.log.CommandEffectsLog;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.log.ReservationNotificationLog;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Reservations (NVM Express Base 2.0, 8.19) of hosts with different identifiers, over TCP. What is expected is the
/// specification's; statuses are SCT and SC.
@Timeout(120)
class ReservationTest extends ReservationFixture {
    private static final int INVALID_OPCODE = 0x01;
    private static final int INVALID_FIELD = 0x02;
    private static final int INVALID_NAMESPACE = 0x0b;
    private static final int SGL_LENGTH = 0x0f;
    private static final int DENIED = 0x15;
    private static final int ID_FORMAT = 0x18;

    // ---- what reservations keep hosts from ------------------------------------------------------------------------

    /// Base specification 2.0, 8.19, the table of commands in the presence of a reservation: of each type, whether a host that is not registered and a registrant that is not
    /// the holder may (A) read and write or meet a conflict (C). The holder may do everything.
    @ParameterizedTest
    @CsvSource({"1, A, C, A, C", "2, C, C, C, C", "3, A, C, A, A", "4, C, C, A, A", "5, A, C, A, A", "6, C, C, A, A"})
    void keepsOutWhomItsTypeKeepsOut(int type, String othersRead, String othersWrite, String registrantsRead,
            String registrantsWrite) throws Exception {
        ReservingHost holder = host(A);
        ReservingHost registrant = host(B);
        ReservingHost other = host(C);
        assertEquals(0, holder.register(0xa));
        assertEquals(0, registrant.register(0xb));
        assertAccess(other, "A", "A");
        assertEquals(0, holder.acquire(type, 0xa));
        assertAccess(holder, "A", "A");
        assertAccess(registrant, registrantsRead, registrantsWrite);
        assertAccess(other, othersRead, othersWrite);
        assertEquals(CONFLICT, other.acquire(type, 0xa), "not registered");
        assertEquals(CONFLICT, other.acquire(1, type, 0xa, 0xa));
        assertEquals(CONFLICT, other.acquire(2, type, 0xa, 0xa));
        assertEquals(CONFLICT, other.release(0, type, 0xa));
        assertEquals(type >= 5 ? 0 : CONFLICT, registrant.acquire(type, 0xb), "all registrants hold it, or one");
        assertEquals(CONFLICT, registrant.acquire(type % 6 + 1, 0xb), "another type");
        assertEquals(0, other.report(64, 64, true).status());
        assertEquals(0, registrant.release(0, type < 5 ? 7 - type : type, 0xb), "without effect, unless it holds it");
        assertEquals(type >= 5 ? 0 : type, rtype());
        assertEquals(0, holder.release(0, type, 0xa));
        assertEquals(0, rtype());
        assertAccess(other, "A", "A");
    }

    private int rtype() throws IOException {
        return ReservationStatus.RTYPE.get(hosts.getFirst().report(), 0);
    }

    /// All controllers of a host have its rights, whichever has registered: they share its identifier.
    @Test
    void isTheHostsWhicheverItsController() throws Exception {
        ReservingHost first = host(A);
        ReservingHost second = host(A);
        ReservingHost other = host(B);
        assertEquals(0, first.register(0xa));
        assertEquals(0, second.acquire(2, 0xa));
        assertAccess(first, "A", "A");
        assertAccess(second, "A", "A");
        assertAccess(other, "C", "C");
        MemorySegment report = other.report();
        assertEquals(2, ReservationStatus.REGCTL.get(report, 0), "registered controllers");
        assertEquals(first.cntlid, RegisteredControllerExtended.CNTLID.get(report, 64));
        assertEquals(second.cntlid, RegisteredControllerExtended.CNTLID.get(report, 128));
        assertAccess(host(A), "A", "A");
    }

    // ---- registering ------------------------------------------------------------------------------------------------

    @Test
    void registersReplacesAndUnregisters() throws Exception {
        ReservingHost a = host(A);
        assertEquals(INVALID_FIELD, a.register(0), "0 is no key");
        assertEquals(CONFLICT, a.register(1, false, 0, 5, 0), "nothing to unregister");
        assertEquals(CONFLICT, a.register(2, false, 0, 5, 6), "nothing to replace");
        assertEquals(0, a.register(2, true, 0, 0, 5), "unless its key does not matter");
        assertEquals(0, a.register(5), "again");
        assertEquals(CONFLICT, a.register(6), "another key");
        assertEquals(CONFLICT, a.register(2, false, 0, 6, 7), "wrong current key");
        assertEquals(0, a.register(2, false, 0, 5, -2));
        assertEquals(-2, RegisteredControllerExtended.RKEY.get(a.report(), 64));
        assertEquals(CONFLICT, a.register(1, false, 0, 5, 0));
        assertEquals(0, a.register(1, true, 0, 0, 0));
        assertEquals(0, ReservationStatus.REGCTL.get(a.report(), 0));
        assertEquals(4, ReservationStatus.GEN.get(a.report(), 0), "each Register that succeeded");
    }

    @Test
    void releasesWhenItsHolderUnregisters() throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        a.register(0xa);
        b.register(0xb);
        assertEquals(0, a.acquire(5, 0xa));
        assertEquals(0, a.register(1, false, 0, 0xa, 0));
        assertEquals(5, rtype(), "the other registrant still holds it");
        assertAccess(a, "A", "C");
        assertEquals(0, b.register(1, false, 0, 0xb, 0));
        assertEquals(0, rtype(), "nobody is left");
        a.register(0xa);
        assertEquals(0, a.acquire(2, 0xa));
        assertEquals(0, a.register(1, false, 0, 0xa, 0));
        assertEquals(0, rtype());
    }

    // ---- preempting -------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void preempts(int action) throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        ReservingHost c = host(C);
        a.register(0xa);
        b.register(0xb);
        c.register(0xb); // the same key
        assertEquals(0, a.acquire(2, 0xa));
        assertEquals(INVALID_FIELD, b.acquire(action, 1, 0xb, 0), "there is one holder, and 0 is no key");
        assertEquals(CONFLICT, b.acquire(action, 1, 0xb, 0x77), "nobody's key");
        assertEquals(0, b.acquire(action, 1, 0xb, 0xa), "the holder's");
        assertEquals(1, rtype());
        assertAccess(a, "A", "C");
        assertAccess(b, "A", "A");
        assertAccess(c, "A", "C");
        assertEquals(CONFLICT, a.release(0, 1, 0xa), "not registered any more");
        assertEquals(0, b.acquire(action, 6, 0xb, 0xb), "its own: another type, and who has the same key goes");
        assertEquals(1, ReservationStatus.REGCTL.get(b.report(), 0));
        c.register(0xc);
        a.register(0xa);
        assertAccess(c, "A", "A");
        assertEquals(0, b.acquire(action, 1, 0xb, 0xc), "one of all that hold it");
        assertAccess(c, "C", "C");
        assertEquals(6, rtype());
        assertEquals(0, a.acquire(action, 3, 0xa, 0), "all others");
        assertEquals(3, rtype());
        MemorySegment report = a.report();
        assertEquals(1, ReservationStatus.REGCTL.get(report, 0));
        assertEquals(A, WireUuid.read(report, 64 + RegisteredControllerExtended.HOSTID.offset()));
        b.register(0xb);
        assertEquals(0, a.release(0, 3, 0xa));
        assertEquals(0, a.acquire(action, 1, 0xa, 0xb), "nothing is held: unregisters only");
        assertEquals(0, rtype());
        assertEquals(1, ReservationStatus.REGCTL.get(a.report(), 0));
    }

    @Test
    void clears() throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        a.register(0xa);
        b.register(0xb);
        assertEquals(0, a.acquire(2, 0xa));
        assertEquals(CONFLICT, b.release(1, 0, 0xa), "not its key");
        assertEquals(0, b.release(1, 0, 0xb));
        MemorySegment report = a.report();
        assertEquals(0, ReservationStatus.REGCTL.get(report, 0));
        assertEquals(0, ReservationStatus.RTYPE.get(report, 0));
        assertEquals(3, ReservationStatus.GEN.get(report, 0), "two Registers and a Clear");
        assertEquals(INVALID_FIELD, acquiredThenReleasedAs(a, 4, 3));
    }

    private static int acquiredThenReleasedAs(ReservingHost host, int type, int releasedType) throws IOException {
        host.register(1);
        assertEquals(0, host.acquire(type, 1));
        return host.release(0, releasedType, 1);
    }

    // ---- reports ------------------------------------------------------------------------------------------------------

    @Test
    void reportsWhatFitsAndWhoIsThere() throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        a.register(0, false, 3, 0, 0xa);
        b.register(0xb);
        a.acquire(3, 0xa);
        MemorySegment report = b.report();
        assertEquals(2, ReservationStatus.GEN.get(report, 0));
        assertEquals(3, ReservationStatus.RTYPE.get(report, 0));
        assertEquals(2, ReservationStatus.REGCTL.get(report, 0));
        assertEquals(1, ReservationStatus.PTPLS.get(report, 0));
        assertEquals(a.cntlid, RegisteredControllerExtended.CNTLID.get(report, 64));
        assertEquals(1, RegisteredControllerExtended.RCSTS.get(report, 64), "holder");
        assertEquals(0xa, RegisteredControllerExtended.RKEY.get(report, 64));
        assertEquals(A, WireUuid.read(report, 64 + 16));
        assertEquals(0, RegisteredControllerExtended.RCSTS.get(report, 128));
        assertEquals(B, WireUuid.read(report, 128 + 16));
        assertEquals(0, report.get(ValueLayout.JAVA_LONG, 192));
        for (int bytes : new int[]{4, 24, 64, 100}) {
            assertEquals(-1, ReservingHost.page(b.report(bytes, bytes, true)).mismatch(report.asSlice(0, bytes)));
        }
        assertEquals(SGL_LENGTH, ReservingHost.code(b.report(68, 64, true)));
        assertEquals(ID_FORMAT, ReservingHost.code(b.report(64, 64, false)), "host identifiers have 128 bits");
        a.close();
        hosts.remove(a);
        awaitControllers(1);
        assertEquals(0xffff, RegisteredControllerExtended.CNTLID.get(b.report(), 64), "registered, but not there");
        assertAccess(host(C), "A", "C");
    }

    private void awaitControllers(int count) throws InterruptedException {
        while (target.call("nvmf_subsystem_get_controllers", "{'nqn': '" + NQN + "'}").size() != count) {
            Thread.sleep(5);
        }
    }

    // ---- notifications ------------------------------------------------------------------------------------------------

    @Test
    void tellsOthersWhatHappened() throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        a.register(0xa);
        b.register(0xb);
        assertNotice(a, 0, 0, 0, 0);
        a.acquire(4, 0xa);
        b.requestEvent();
        assertEquals(0, a.release(0, 4, 0xa));
        assertEquals(0x80_00_06, b.event(), "log page 80h, of the I/O command set");
        a.requestEvent();
        assertEquals(0, b.acquire(1, 1, 0xb, 0xa));
        assertEquals(0x80_00_06, a.event());
        assertNotice(a, 1, 1, 0, 1); // registration preempted
        a.register(0xa);
        assertEquals(0, a.release(1, 0, 0xa)); // reservation preempted, while b has not yet read of the release
        assertNotice(b, 1, 2, 1, 1);
        assertNotice(b, 2, 3, 0, 1);
        assertNotice(b, 0, 0, 0, 0);
        assertNotice(a, 0, 0, 0, 0);
    }

    private static void assertNotice(ReservingHost host, long count, int type, int more, long nsid)
            throws IOException {
        MemorySegment page = host.log(Lid.RESERVATION_NOTIFICATION, ReservationNotificationLog.SIZE);
        assertEquals(count, ReservationNotificationLog.LOG_PAGE_COUNT.get(page, 0));
        assertEquals(type, ReservationNotificationLog.TYPE.get(page, 0));
        assertEquals(more, ReservationNotificationLog.AVAILABLE_LOG_PAGES.get(page, 0));
        assertEquals(nsid, ReservationNotificationLog.NSID.get(page, 0));
    }

    @Test
    void masksNotifications() throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        assertEquals(0, a.getFeature(Fid.RESERVATION_NOTIFICATION_MASK, 1).dw0());
        assertEquals(0, a.setFeature(Fid.RESERVATION_NOTIFICATION_MASK, 0xffff_ffffL, -1));
        assertEquals(0b1110, b.getFeature(Fid.RESERVATION_NOTIFICATION_MASK, 1).dw0());
        assertEquals(INVALID_FIELD, ReservingHost.code(b.getFeature(Fid.RESERVATION_NOTIFICATION_MASK, 0xffff_ffffL)));
        assertEquals(INVALID_NAMESPACE, ReservingHost.code(b.getFeature(Fid.RESERVATION_NOTIFICATION_MASK, 2)));
        assertEquals(INVALID_NAMESPACE, b.setFeature(Fid.RESERVATION_NOTIFICATION_MASK, 2, 0));
        a.register(0xa);
        b.register(0xb);
        assertEquals(0, a.acquire(1, 1, 0xa, 0xb));
        assertNotice(b, 0, 0, 0, 0);
        assertEquals(0, a.setFeature(Fid.RESERVATION_NOTIFICATION_MASK, 1, 0b1100));
        b.register(0xb);
        assertEquals(0, a.acquire(1, 1, 0xa, 0xb));
        assertNotice(b, 1, 1, 0, 1);
    }

    // ---- what hosts are told, and hosts that break rules --------------------------------------------------------------

    @Test
    void saysThatThereAreReservations() throws Exception {
        ReservingHost a = host(A);
        assertEquals(0xff, IdentifyNamespace.RESCAP.get(a.identify(Cns.NAMESPACE), 0));
        assertEquals(0xff, IdentifyNamespaceIndependent.RESCAP.get(a.identify(Cns.INDEPENDENT_NAMESPACE), 0));
        assertEquals(1 << 5, IdentifyController.ONCS.get(a.identify(Cns.CONTROLLER), 0) & 1 << 5);
        MemorySegment effects = a.log(Lid.COMMANDS_SUPPORTED_AND_EFFECTS, 4096);
        for (int opcode : new int[]{0x0d, 0x0e, 0x11, 0x15}) {
            assertEquals(1, effects.get(ValueLayout.JAVA_INT, CommandEffectsLog.IOCS.at(0, opcode)));
        }
        assertEquals(1, a.log(Lid.SUPPORTED_LOG_PAGES, 1024).get(ValueLayout.JAVA_INT, 0x80 * 4));
    }

    @Test
    void hidesThemWhereTheTransportDoes() throws Exception {
        stop();
        start(", 'masked_oncs': ['reservs']");
        ReservingHost a = host(A);
        assertEquals(0, IdentifyNamespace.RESCAP.get(a.identify(Cns.NAMESPACE), 0));
        assertEquals(0, IdentifyController.ONCS.get(a.identify(Cns.CONTROLLER), 0) & 1 << 5);
        assertEquals(INVALID_OPCODE, a.register(1));
        assertEquals(INVALID_OPCODE, ReservingHost.code(a.report(64, 64, true)));
        assertEquals(INVALID_FIELD, ReservingHost.code(a.getFeature(Fid.RESERVATION_PERSISTENCE, 1)));
        assertEquals(0, a.log(Lid.SUPPORTED_LOG_PAGES, 1024).get(ValueLayout.JAVA_INT, 0x80 * 4));
    }

    @Test
    void refusesWhatIsReserved() throws Exception {
        ReservingHost a = host(A);
        a.register(0xa);
        byte[] keys = ReservingHost.keys(0xa, 0xa);
        for (int action = 3; action < 8; action++) {
            assertEquals(INVALID_FIELD, a.register(action, false, 0, 0xa, 0xb));
            assertEquals(INVALID_FIELD, a.acquire(action, 1, 0xa, 0));
        }
        for (int action = 2; action < 8; action++) {
            assertEquals(INVALID_FIELD, a.release(action, 1, 0xa));
        }
        for (int type : new int[]{0, 7, 8, 0x80, 0xff}) {
            assertEquals(INVALID_FIELD, a.acquire(type, 0xa));
        }
        assertEquals(INVALID_FIELD, a.register(2, false, 1, 0xa, 0xb), "CPTPL 1");
        assertEquals(INVALID_FIELD, a.any(NvmOpcode.RESERVATION_ACQUIRE, 1, 1 << 8 | 1 << 3, keys), "IEKEY");
        assertEquals(INVALID_FIELD, a.any(NvmOpcode.RESERVATION_RELEASE, 1, 1 << 8 | 1 << 3, keys), "IEKEY");
        for (int opcode : new int[]{NvmOpcode.RESERVATION_REGISTER, NvmOpcode.RESERVATION_ACQUIRE,
                NvmOpcode.RESERVATION_RELEASE}) {
            assertEquals(SGL_LENGTH, a.any(opcode, 1, 1 << 8, new byte[4]));
            assertEquals(SGL_LENGTH, a.any(opcode, 1, 1 << 8, new byte[0]));
            for (long nsid : new long[]{0, 2, 0xffff_ffffL}) {
                assertEquals(INVALID_NAMESPACE, a.any(opcode, nsid, 1 << 8, keys));
            }
        }
        MemorySegment report = a.report();
        assertEquals(0xa, RegisteredControllerExtended.RKEY.get(report, 64), "as it was");
        assertEquals(1, ReservationStatus.GEN.get(report, 0));
        assertEquals(0, ReservationStatus.RTYPE.get(report, 0));
        assertAccess(a, "A", "A");
    }

    /// A host that is not shown the namespace has no part in its reservations, and hears nothing of them.
    @Test
    void leavesOutHostsThatDoNotSeeTheNamespace() throws Exception {
        target.call("nvmf_subsystem_remove_ns", "{'nqn': '" + NQN + "', 'nsid': 1}");
        target.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc0', 'no_auto_visible': true}}");
        show("nvmf_ns_add_host", A);
        show("nvmf_ns_add_host", B);
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        ReservingHost stranger = host(C);
        assertEquals(INVALID_NAMESPACE, stranger.register(0xc));
        assertEquals(INVALID_NAMESPACE, ReservingHost.code(stranger.report(64, 64, true)));
        assertEquals(INVALID_NAMESPACE, stranger.setFeature(Fid.RESERVATION_NOTIFICATION_MASK, 1, 0b1110));
        assertEquals(0, stranger.setFeature(Fid.RESERVATION_NOTIFICATION_MASK, 0xffff_ffffL, 0b1110), "of none");
        assertEquals(0, a.getFeature(Fid.RESERVATION_NOTIFICATION_MASK, 1).dw0());
        a.register(0xa);
        b.register(0xb);
        show("nvmf_ns_remove_host", B);
        assertEquals(0, a.acquire(2, 0xa), "whoever sees it or not, registrants stay");
        assertEquals(2, ReservationStatus.REGCTL.get(a.report(), 0));
        assertEquals(0, a.release(1, 0, 0xa));
        assertNotice(b, 0, 0, 0, 0);
    }

    private void show(String method, UUID host) {
        target.call(method,
                "{'nqn': '" + NQN + "', 'nsid': 1, 'host': 'nqn.2014-08.org.nvmexpress:uuid:" + host + "'}");
    }

    /// Hosts that all have the identifier 0 could not be told apart.
    @Test
    void refusesAHostWithoutAnIdentifier() throws Exception {
        ReservingHost nobody = host(new UUID(0, 0));
        assertEquals(DENIED, nobody.register(1));
        assertEquals(DENIED, nobody.acquire(1, 0));
        assertEquals(DENIED, nobody.release(1, 1, 0));
        assertEquals(0, ReservationStatus.REGCTL.get(nobody.report(), 0));
        ReservingHost a = host(A);
        a.register(0xa);
        a.acquire(2, 0xa);
        assertAccess(nobody, "C", "C");
    }

    @Test
    void aSubsystemThatIsDeletedMeanwhileLeavesNothing() throws Exception {
        for (int i = 0; i < 5; i++) {
            ReservingHost a = host(A);
            Thread reserving = Thread.ofPlatform().start(() -> {
                try {
                    while (a.register(2, true, 3, 0, 1 + System.nanoTime() % 100) == 0) {
                        a.acquire(2, 1, 1, 1);
                    }
                } catch (IOException | RuntimeException | AssertionError _) {
                    // the connection ends
                }
            });
            while (ReservationStatus.GEN.get(hostReport(), 0) < 3) {
                Thread.onSpinWait();
            }
            target.call("nvmf_delete_subsystem", "{'nqn': '" + NQN + "'}");
            reserving.join();
            stop();
            start();
        }
    }

    private MemorySegment hostReport() throws IOException {
        return (hosts.size() == 1 ? host(B) : hosts.getLast()).report();
    }
}
