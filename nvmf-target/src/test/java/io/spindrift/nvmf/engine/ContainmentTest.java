package io.spindrift.nvmf.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.identify.Cns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One command that throws costs nobody else anything.
@Timeout(60)
class ContainmentTest {
    /// Memory that throws when it is touched.
    private static MemorySegment gone(int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(bytes, Long.BYTES);
        }
    }

    private static FakeRequest identify(MemorySegment into) {
        FakeRequest request = EngineFixture.command(AdminOpcode.IDENTIFY, 7, 0).data(into);
        IdentifyCommand.set(request.entry(), 0, Cns.CONTROLLER, 0, 0);
        return request;
    }

    @Test
    void anAdminCommandThatThrowsEndsWithInternalErrorAndLetsChangesGoOn() throws Exception {
        try (EngineFixture engine = new EngineFixture()) {
            assertEquals(GenericStatus.INTERNAL_ERROR,
                    engine.execute(engine.admin, identify(gone(4096))).status() & 0x7ff);
            assertEquals(1, engine.target.manual.reports().size(), "told once");
            engine.target.control(() -> {
                engine.subsystem.removeNamespace(1);
                return null;
            });
            assertEquals(0, engine.execute(engine.admin, identify(EngineFixture.memory(4096))).status(), "and goes on");
            assertFalse(engine.admin.disconnected);
        }
    }

    @Test
    void anIoCommandThatThrowsEndsWithInternalErrorAndLetsChangesGoOn() throws Exception {
        try (EngineFixture engine = new EngineFixture()) {
            FakeRequest unmap = EngineFixture.command(NvmOpcode.DATASET_MANAGEMENT, 8, 1).data(gone(16));
            DatasetManagement.set(unmap.entry(), 0, 1, DatasetManagement.AD);
            assertEquals(GenericStatus.INTERNAL_ERROR, engine.execute(engine.io, unmap).status() & 0x7ff);
            engine.target.control(() -> {
                engine.subsystem.removeNamespace(1);
                return null;
            });
        }
    }

    @Test
    void aCommandThatCannotBeAnsweredEndsTheConnectionAndLetsChangesGoOn() throws Exception {
        try (EngineFixture engine = new EngineFixture()) {
            FakeRequest request = identify(EngineFixture.memory(4096));
            request.fault = new IllegalStateException("no way to answer");
            engine.execute(engine.admin, request);
            assertTrue(engine.admin.disconnected);
            engine.target.control(() -> {
                engine.subsystem.removeNamespace(1);
                return null;
            });
        }
    }
}
