package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Crto;
import io.spindrift.nvme.spec.Csts;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.feature.AsyncEventConfiguration;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spi.TransportController;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/// Brings a controller to where it takes I/O (base specification 2.0, 3.5): once for each connection, from the first
/// register to its namespaces. On the control path; straight on, or an [NvmeException] that says where it ended.
final class ControllerSetUp {
    /// What is known then.
    record Outcome(boolean discovery, int ioQueues, int ioEntries, long inCapsuleBytes) {}

    private static final int STEP_MILLIS = 500;
    private static final long POLL_MILLIS = 1;
    private static final long LONGEST_POLL_MILLIS = 20;
    private static final int SQE_SIZE = 64;
    /// All critical warnings.
    private static final int SMART_WARNINGS = AsyncEventConfiguration.SMART_AVAILABLE_SPARE
            | AsyncEventConfiguration.SMART_TEMPERATURE | AsyncEventConfiguration.SMART_RELIABILITY
            | AsyncEventConfiguration.SMART_READ_ONLY | AsyncEventConfiguration.SMART_VOLATILE_BACKUP;
    /// Units of IOCCSZ and ICDOFF.
    private static final int CAPSULE_UNIT = 16;
    private static final long MOST_IN_CAPSULE = 1 << 20;

    private final NvmeController controller;
    private final TransportController transport;
    private final QueuePair adminQueue;
    private final AdminCommands admin;
    private final ControllerOptions options;
    private Map<Long, NvmeNamespace> namespaces = Map.of();
    private Map<Long, Integer> anaStates = Map.of();

    ControllerSetUp(NvmeController controller) {
        this.controller = controller;
        this.transport = controller.transport();
        this.adminQueue = controller.adminQueue();
        this.admin = new AdminCommands(adminQueue, controller.driver(), true);
        this.options = controller.options();
    }

    Map<Long, NvmeNamespace> namespaces() {
        return namespaces;
    }

    Map<Long, Integer> anaStates() {
        return anaStates;
    }

    Outcome connect() throws Exception {
        int adminEntries = options.queues().adminEntries();
        transport.open();
        int cntlid = ConnectData.CNTLID_DYNAMIC;
        if (transport.fabrics()) {
            connectAdminQueue();
            cntlid = FabricsCommands.connect(adminQueue, controller.id(), options, adminEntries, cntlid,
                    options.timeouts().keepAliveMillis());
        }
        long cap = property(ControllerProperty.CAP, 8);
        if (cap == -1 || cap == 0) {
            throw new NvmeException(Errno.ENODEV, controller.name() + ": its capabilities (CAP) read "
                    + (cap == 0 ? "0" : "all ones") + ": there is no controller");
        }
        int vs = (int) property(ControllerProperty.VS, 4);
        enable(cap, adminEntries);
        if (!transport.fabrics()) {
            connectAdminQueue();
        }
        return identify(cap, vs, cntlid);
    }

    private void connectAdminQueue() throws Exception {
        adminQueue.connect(options.timeouts().connectMillis(), options.timeouts().adminMillis());
    }

    // ---- registers --------------------------------------------------------------------------------------------

    private long property(int offset, int bytes) {
        return property(controller, offset, bytes);
    }

    private static long property(NvmeController controller, int offset, int bytes) {
        return controller.transport().fabrics()
                ? FabricsCommands.property(controller.adminQueue(), offset, bytes)
                : controller.transport().property(offset, bytes);
    }

    private static void propertyTo(NvmeController controller, int offset, int bytes, long value) {
        if (controller.transport().fabrics()) {
            FabricsCommands.propertyTo(controller.adminQueue(), offset, bytes, value);
        } else {
            controller.transport().propertyTo(offset, bytes, value);
        }
    }

    private void enable(long cap, int adminEntries) throws InterruptedException {
        long limitMillis = Math.max(1, Cap.to(cap)) * (long) STEP_MILLIS;
        int cc = (int) property(ControllerProperty.CC, 4);
        if (Cc.enabled(cc)) {
            awaitSettled(limitMillis);
            propertyTo(controller, ControllerProperty.CC, 4, cc & ~Cc.EN);
        }
        await(false, limitMillis);
        if (!transport.fabrics()) {
            transport.prepareAdminQueue(adminEntries);
        }
        int css = (cap & Cap.CSS_NVM) != 0 || (cap & Cap.CSS_ADMIN_ONLY) == 0 ? Cc.CSS_NVM : Cc.CSS_ADMIN_ONLY;
        propertyTo(controller, ControllerProperty.CC, 4, Cc.of(css, Cap.mpsmin(cap)) | Cc.EN);
        if ((cap & Cap.CRWMS) != 0) {
            long crto = property(ControllerProperty.CRTO, 4);
            limitMillis = Math.max(limitMillis, (long) Crto.crwmt((int) crto) * STEP_MILLIS);
        }
        await(true, limitMillis);
    }

    /// Enabled by somebody before: disabling it in the midst of that is undefined (3.1.3.5). One that does not get ready in time
    /// is disabled all the same.
    private void awaitSettled(long limitMillis) throws InterruptedException {
        long deadline = System.nanoTime() + limitMillis * 1_000_000;
        int csts = (int) property(ControllerProperty.CSTS, 4);
        while (!Csts.ready(csts) && !Csts.fatal(csts) && System.nanoTime() - deadline < 0) {
            Thread.sleep(POLL_MILLIS);
            csts = (int) property(ControllerProperty.CSTS, 4);
        }
    }

    private void await(boolean ready, long limitMillis) throws InterruptedException {
        long deadline = System.nanoTime() + limitMillis * 1_000_000;
        long pause = POLL_MILLIS;
        while (true) {
            int csts = (int) property(ControllerProperty.CSTS, 4);
            if (Csts.gone(csts)) {
                throw new NvmeException(Errno.ENODEV,
                        controller.name() + ": its status (CSTS) reads all ones: it is gone");
            }
            if (Csts.ready(csts) == ready) {
                return;
            }
            if (ready && Csts.fatal(csts)) {
                throw new NvmeException(Errno.EIO, controller.name()
                        + ": it reports a fatal error (CSTS.CFS) instead of becoming ready");
            }
            if (System.nanoTime() - deadline > 0) {
                throw new NvmeException(Errno.ETIMEDOUT, controller.name() + ": CSTS.RDY did not become "
                        + (ready ? 1 : 0) + " within " + limitMillis + " ms, the limit of CAP.TO");
            }
            Thread.sleep(pause);
            pause = Math.min(pause * 2, LONGEST_POLL_MILLIS);
        }
    }

    // ---- admin commands ---------------------------------------------------------------------------------------

    private Outcome identify(long cap, int vs, int connectedCntlid) throws Exception {
        MemorySegment page = admin.identify(Cns.CONTROLLER, Nsid.NONE);
        int cntlid = transport.fabrics() ? connectedCntlid : IdentifyController.CNTLID.get(page, 0);
        ControllerData data = new ControllerData(cap, vs, cntlid, page);
        controller.identified(data);
        boolean discovery = data.discovery(controller.id().isDiscovery());
        configureEvents(data, discovery);
        controller.keepAlive(keepAliveMillis(data, discovery));
        transport.initialised(admin, data);
        if (discovery) {
            return new Outcome(true, 0, 2, 0);
        }
        int queues = numberOfQueues(options.queues().ioQueues());
        int entries = Math.min(options.queues().ioEntries(), Cap.mqes(cap) + 1);
        if (entries < 2) {
            throw new NvmeException(Errno.EIO, controller.name() + ": queues of " + entries
                    + " entries (CAP.MQES) are of no use");
        }
        namespaces = new NamespaceScan(controller, admin).run(false);
        if (data.reportsAna()) {
            anaStates = AnaStates.read(controller, admin);
        }
        return new Outcome(false, queues, entries, inCapsule(page));
    }

    private void configureEvents(ControllerData data, boolean discovery) {
        int wanted = discovery
                ? data.oaes(ControllerBits.OAES_DISCOVERY_LOG_CHANGE) ? AsyncEventConfiguration.DISCOVERY_LOG_CHANGE : 0
                : SMART_WARNINGS | (data.oaes(ControllerBits.OAES_NAMESPACE_ATTRIBUTE)
                        ? AsyncEventConfiguration.NAMESPACE_ATTRIBUTE
                        : 0)
                        | (data.oaes(ControllerBits.OAES_FIRMWARE_ACTIVATION)
                                ? AsyncEventConfiguration.FIRMWARE_ACTIVATION
                                : 0)
                        | (data.oaes(ControllerBits.OAES_ANA_CHANGE) ? AsyncEventConfiguration.ANA_CHANGE : 0);
        try {
            admin.featureTo(Fid.ASYNC_EVENT_CONFIGURATION, false, Nsid.NONE, wanted);
        } catch (NvmeException e) {
            // mandatory for I/O controllers, but one without it is still of use: its changes come without notice
            if (e.status() == 0) {
                throw e;
            }
            controller.driver().context().log().notice("%s, so that changes will come without notice", e.getMessage());
        }
    }

    /// The Keep Alive Timeout of this connection; 0 if the controller has none. It may round it up, which does no harm.
    private long keepAliveMillis(ControllerData data, boolean discovery) {
        long wanted = options.timeouts().keepAliveMillis();
        int granularity = IdentifyController.KAS.get(data.page(), 0);
        if (wanted == 0 || granularity == 0 && !discovery || !transport.fabrics()) {
            return 0;
        }
        return wanted;
    }

    /// The least of what is wanted and given.
    private int numberOfQueues(int wanted) {
        int given = admin.featureTo(Fid.NUMBER_OF_QUEUES, false, Nsid.NONE, wanted - 1 | wanted - 1 << 16);
        int submission = (given & 0xffff) + 1;
        int completion = (given >>> 16) + 1;
        return Math.min(wanted, Math.min(submission, completion));
    }

    private long inCapsule(MemorySegment page) {
        if (!transport.fabrics()) {
            return 0;
        }
        long bytes = (IdentifyController.IOCCSZ.get(page, 0) - IdentifyController.ICDOFF.get(page, 0)) * CAPSULE_UNIT
                - SQE_SIZE;
        // an offset of the data, which no transport here has, would make them something else
        return IdentifyController.ICDOFF.get(page, 0) == 0 ? Math.clamp(bytes, 0, MOST_IN_CAPSULE) : 0;
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    /// Tells a controller that its host goes (base specification 2.0, 3.6), and waits a while for it to get ready for that. What
    /// it does not do in time it does not do.
    static void shutDown(NvmeController controller) {
        try {
            int cc = (int) property(controller, ControllerProperty.CC, 4);
            propertyTo(controller, ControllerProperty.CC, 4, Cc.withShn(cc, Cc.SHN_NORMAL));
            long latencyMicros = IdentifyController.RTD3E.get(controller.data().page(), 0);
            long limitMillis = Math.clamp(latencyMicros / 1000, STEP_MILLIS, 10L * STEP_MILLIS);
            long deadline = System.nanoTime() + limitMillis * 1_000_000;
            int csts = 0;
            while (Csts.shst(csts) != Csts.SHST_COMPLETE && System.nanoTime() - deadline < 0) {
                csts = (int) property(controller, ControllerProperty.CSTS, 4);
                if (Csts.gone(csts)) {
                    return;
                }
                if (Csts.shst(csts) != Csts.SHST_COMPLETE) {
                    Thread.sleep(POLL_MILLIS);
                }
            }
        } catch (NvmeException e) {
            controller.driver().context().log().notice("%s: not shut down in order: %s", controller.name(),
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the program ends: no time for that
        }
    }
}
