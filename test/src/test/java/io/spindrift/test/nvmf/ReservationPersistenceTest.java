package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.nvme.spec.command.RegisteredControllerExtended;
import io.spindrift.nvme.spec.command.ReservationStatus;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// What becomes of reservations when the target stops (NVM Express Base 2.0, 8.19), and of a file that cannot be used.
@Timeout(120)
class ReservationPersistenceTest extends ReservationFixture {
    private static final int INVALID_FIELD = 0x02;

    @Test
    void outlivesTheTargetIfItIsToldTo() throws Exception {
        ReservingHost a = host(A);
        ReservingHost b = host(B);
        assertEquals(0, a.getFeature(Fid.RESERVATION_PERSISTENCE, 1).dw0());
        a.register(0xa);
        assertEquals(0, a.setFeature(Fid.RESERVATION_PERSISTENCE, 1, 1));
        assertEquals(1, b.getFeature(Fid.RESERVATION_PERSISTENCE, 1).dw0());
        b.register(0xb);
        assertEquals(0, a.acquire(2, 0xa));
        String saved = Json.compact(target.call("framework_get_config", "{'name': 'nvmf'}"));
        assertTrue(saved.contains("\"ptpl_file\":\"" + folder.resolve("ptpl.json") + "\""), saved);
        stop();
        JsonNode kept = Json.parse(Files.readAllBytes(folder.resolve("ptpl.json")));
        assertEquals(2, kept.get("rtype").intValue());
        assertEquals(A.toString(), kept.get("holder_uuid").stringValue());
        start();
        ReservingHost again = host(B);
        assertAccess(again, "C", "C");
        MemorySegment report = again.report();
        assertEquals(1, ReservationStatus.PTPLS.get(report, 0));
        assertEquals(0xffff, RegisteredControllerExtended.CNTLID.get(report, 64));
        assertEquals(1, RegisteredControllerExtended.RCSTS.get(report, 64));
        assertEquals(0, again.acquire(2, 1, 0xb, 0xa), "and may be preempted");
        assertEquals(0, again.register(2, false, 2, 0xb, 0xbb), "not to be kept any more");
        stop();
        start();
        assertEquals(0, ReservationStatus.REGCTL.get(host(A).report(), 0));
        assertAccess(host(C), "A", "A");
    }

    @Test
    void keepsNothingWithoutAFile() throws Exception {
        target.call("nvmf_subsystem_remove_ns", "{'nqn': '" + NQN + "', 'nsid': 1}");
        target.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
        ReservingHost a = host(A);
        assertEquals(0xfe, IdentifyNamespace.RESCAP.get(a.identify(Cns.NAMESPACE), 0));
        assertEquals(INVALID_FIELD, a.register(0, false, 3, 0, 0xa));
        assertEquals(0, ReservationStatus.REGCTL.get(a.report(), 0));
        assertEquals(INVALID_FIELD, a.setFeature(Fid.RESERVATION_PERSISTENCE, 1, 1));
        assertEquals(0, a.setFeature(Fid.RESERVATION_PERSISTENCE, 1, 0));
        assertEquals(0, a.getFeature(Fid.RESERVATION_PERSISTENCE, 1).dw0());
    }

    @Test
    void refusesAFileThatCannotBeRead() throws Exception {
        target.call("bdev_malloc_create", "{'name': 'Malloc1', 'num_blocks': 2048, 'block_size': 512}");
        String used = folder.resolve("ptpl.json").toString();
        assertRefused(used, "namespace.ptpl_file=" + used + " is that of the namespace 1 of " + NQN);
        Path hostile = Files.writeString(folder.resolve("hostile.json"), "{'ptpl': ");
        assertRefused(hostile.toString(), "ptpl_file=" + hostile + ": is no JSON: ");
        assertRefused(folder.toString(), "ptpl_file=" + folder + ": is no file");
        assertRefused("/\\u0000", "namespace.ptpl_file=");
        target.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc1'}}");
    }

    private void assertRefused(String file, String message) {
        RpcException refused = target.refusal("nvmf_subsystem_add_ns", "{'nqn': '" + NQN
                + "', 'namespace': {'bdev_name': 'Malloc1', 'ptpl_file': '" + file + "'}}");
        assertEquals(RpcException.INVALID_PARAMS, refused.code());
        assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
    }

    /// What cannot be kept is not done.
    @Test
    void failsACommandThatCannotBeKept() throws Exception {
        ReservingHost a = host(A);
        Path inTheWay = Files.createFile(Files.createDirectory(folder.resolve("ptpl.json.new")).resolve("file"));
        assertEquals(0x06, a.register(0, false, 3, 0, 0xa), "Internal Error");
        assertEquals(0, ReservationStatus.REGCTL.get(a.report(), 0));
        Files.delete(inTheWay);
        assertEquals(0, a.register(0, false, 3, 0, 0xa));
    }
}
